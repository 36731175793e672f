import { describe, expect, onTestFinished, test } from 'vitest'
import { Secret } from '../../../../src/main/secrets/secret.ts'
import type { Service } from '../../../../src/main/service/port.ts'
import type { ListQuery, WebsiteRecord } from '../../../../src/shared/website.ts'
import { fakeClock } from '../../outbox/clock.ts'
import { draft, must, startConnection } from '../../outbox/rig.ts'
import type { Fault } from '../faults.ts'
import { client, HTML, listening } from '../host.ts'
import { startBareHost } from './bare-host.ts'
import { startProxiedHost } from './proxied-host.ts'
import { startSampleHost } from './sample-host.ts'
import type { Stored, TestHost } from './test-host.ts'

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '')

/** Expects that the client has read all fields that the host shows. */
function fits(read: WebsiteRecord | undefined, website: Stored): void {
  const { id, domain, privacy, email, exclude_bots } = website
  const password = website.password !== ''
  expect(read).toMatchObject({ id, domain, privacy, email, exclude_bots, password })
  expect(read?.exclude_ips).toEqual(lines(website.exclude_ips))
  if (read?.exclude_params !== undefined) expect(read.exclude_params).toEqual(lines(website.exclude_params))
}

/** Reads pages until the last one, or until a page without new websites, as a refresh does. */
async function readAll(service: Service, query: Partial<ListQuery>): Promise<WebsiteRecord[]> {
  const read = new Map<string, WebsiteRecord>()
  let page = await service.list(query)
  for (;;) {
    if (page.outcome !== 'applied') throw new Error(page.error.code)
    const before = read.size
    for (const website of page.value.websites) if (!read.has(website.id)) read.set(website.id, website)
    if (page.value.next === null || read.size === before) return [...read.values()]
    page = await service.listNext(page.value.next)
  }
}

const WEBSITES = 45
const start = { sample: startSampleHost, bare: startBareHost, proxied: startProxiedHost }

describe.each(Object.entries(start))('the client against the host %s', (name, startHost) => {
  async function connect(limits: { request?: number } = {}, websites = WEBSITES) {
    const host = await startHost(websites, listening)
    const service = client({ address: host.address, key: () => new Secret(host.key), limits })
    const at = (index: number): Stored => host.all()[index] ?? expect.unreachable()
    const byDomain = (domain: string) => host.all().find((website) => website.domain === domain)
    return { host, service, at, byDomain }
  }

  test('reads the complete list: each website once, in order, with all fields', async () => {
    const { host, service } = await connect()
    const websites = await readAll(service, { sort_by: 'id', sort: 'asc', per_page: 10 })
    expect(websites.map(({ id }) => id)).toEqual(host.all().map(({ id }) => id))
    for (const [index, website] of host.all().entries()) fits(websites[index], website)
  })

  test('finds websites by a part of the domain in any case, and sorts them in descending order', async () => {
    const { host, service } = await connect()
    const [{ domain } = expect.unreachable()] = host.all().slice(20)
    const part = domain.slice(0, 3)
    const found = await readAll(service, { search: part.toUpperCase(), sort_by: 'domain', sort: 'desc', per_page: 10 })
    const expected = host
      .all()
      .map((website) => website.domain)
      .filter((each) => each.includes(part))
    expect(found.map((website) => website.domain)).toEqual(expected.sort().reverse())
  })

  test('reads a website and the account, and reports a website or account that does not exist', async () => {
    const { service, at } = await connect()
    const read = await service.get(at(7).id)
    fits(read.outcome === 'applied' ? read.value : undefined, at(7))
    const account = await service.account()
    if (account.outcome === 'applied') expect(account.value.name).toMatch(/^(Acme|Northwind Agency)$/)
    else expect(account).toMatchObject({ outcome: 'notApplied', error: { code: 'not-found' } })
    const gone = { outcome: 'notApplied', error: { code: 'not-found', status: 404 } }
    await expect(service.get('nobody/there')).resolves.toMatchObject(gone)
    await expect(service.update('nobody/there', { email: true })).resolves.toMatchObject(gone)
  })

  test('creates a website with all fields, changes and clears each, and deletes it', async () => {
    const { service, byDomain } = await connect()
    const created = await service.create({
      domain: 'https://www.New.example',
      privacy: 2,
      password: 'correct horse',
      email: true,
      exclude_bots: false,
      exclude_ips: ['203.0.113.7', '2001:db8::/48'],
      exclude_params: ['utm source', '&', 'ü=1'],
    })
    expect(created).toMatchObject({ outcome: 'applied' })
    const all = {
      privacy: 2,
      password: 'correct horse',
      email: true,
      exclude_bots: false,
      exclude_ips: '203.0.113.7\n2001:db8::/48',
      exclude_params: 'utm source\n&\nü=1',
    }
    expect(byDomain('new.example')).toMatchObject(all)
    const id = byDomain('new.example')?.id ?? ''
    if (created.outcome === 'applied' && created.value !== null) expect(created.value.id).toBe(id)

    for (const [change, effect] of [
      [{ email: false }, { email: false }],
      [{ exclude_bots: true }, { exclude_bots: true }],
      [{ exclude_ips: [] }, { exclude_ips: '' }],
      [{ exclude_params: ['a', 'b'] }, { exclude_params: 'a\nb' }],
      [{ privacy: 0 }, { privacy: 0 }],
    ] as const) {
      Object.assign(all, effect)
      await expect(service.update(id, change as object)).resolves.toMatchObject({ outcome: 'applied' })
      expect(byDomain('new.example')).toMatchObject(all)
      const read = await service.get(id)
      fits(read.outcome === 'applied' ? read.value : undefined, byDomain('new.example') ?? expect.unreachable())
    }

    await expect(service.delete(id)).resolves.toMatchObject({ outcome: 'applied', value: null })
    expect(byDomain('new.example')).toBeUndefined()
    const gone = { outcome: 'notApplied', error: { code: 'not-found' } }
    await expect(service.get(id)).resolves.toMatchObject(gone)
    await expect(service.delete(id)).resolves.toMatchObject(gone)
  })

  test('reads the texts of a validation error with the field that they belong to', async () => {
    const { host, service, at } = await connect()
    const taken = { domain: ['The domain has already been taken.'] }
    await expect(service.create(draft(at(3).domain))).resolves.toMatchObject({
      outcome: 'notApplied',
      error: { code: 'invalid', status: 422, fields: taken },
    })
    for (const domain of ['a.test', 'b.test', 'c.test']) host.add(domain)
    await expect(service.create(draft('d.test'))).resolves.toMatchObject({
      error: { code: 'invalid', fields: { domain: ['You added too many websites.'] } },
    })
  })

  test('reports that the API key is unknown', async () => {
    const { host } = await connect()
    const service = client({ address: host.address, key: () => new Secret('another') })
    const refused = { outcome: 'notApplied', error: { code: 'unauthenticated', message: 'Unauthenticated.' } }
    await expect(service.list({})).resolves.toMatchObject(refused)
    await expect(service.create(draft('a.test'))).resolves.toMatchObject(refused)
    await expect(service.delete(host.all()[0]?.id ?? '')).resolves.toMatchObject(refused)
  })

  test.each([
    [403, 'notApplied', 'forbidden'],
    [429, 'notApplied', 'rate-limited'],
    [500, 'inDoubt', 'unavailable'],
  ])('reads status %i as outcome %s with the error %s', async (status, outcome, code) => {
    const { host, service, at } = await connect()
    const refusal = { kind: 'answer', ...host.refusal(status, 'Not now.'), headers: { 'Retry-After': '17' } } as const
    host.next(refusal, refusal)
    const expected = { outcome, error: { code, status, message: 'Not now.', retryAfter: 17 } }
    await expect(service.list({})).resolves.toMatchObject(expected)
    await expect(service.update(at(0).id, { email: true })).resolves.toMatchObject(expected)
  })

  test('reads a 429 whose Retry-After is a date', async () => {
    const { host, service } = await connect()
    const headers = { Date: 'Sat, 21 Nov 2020 10:00:00 GMT', 'Retry-After': 'Sat, 21 Nov 2020 10:01:30 GMT' }
    host.next({ kind: 'answer', ...host.refusal(429, 'Not now.'), headers })
    await expect(service.list({})).resolves.toMatchObject({ error: { code: 'rate-limited', retryAfter: 90 } })
  })

  const writes = {
    create: (service: Service) => service.create(draft('new.test')),
    update: (service: Service, { id, email }: Stored) => service.update(id, { email: !email }),
    delete: (service: Service, { id }: Stored) => service.delete(id),
  }
  const faults: [string, Fault, string, done: boolean][] = [
    ['a loss on the way to the service', { kind: 'drop-before' }, 'interrupted', false],
    ['the loss of its answer', { kind: 'drop-after' }, 'interrupted', true],
    ['no answer in time', { kind: 'hang' }, 'timeout', false],
    ['a page of a hotel network', { kind: 'answer', status: 200, body: HTML }, 'not-the-service', false],
    ['a redirect', { kind: 'answer', status: 302, headers: { Location: '/login' } }, 'redirected', false],
    ['maintenance', { kind: 'answer', status: 503, body: HTML }, 'unavailable', false],
  ]
  describe.each(Object.entries(writes))('%s', (_kind, write) => {
    // The other faults do not depend on the host, so one host is enough for them.
    const met = faults.filter(([, { kind }]) => name === 'sample' || kind === 'drop-after')
    test.each(met)('is in doubt after %s, whether it was applied or not', async (_what, fault, code, done) => {
      const { host, service, at } = await connect(code === 'timeout' ? { request: 300 } : {})
      const before = structuredClone(host.all())
      host.next(fault)
      await expect(write(service, at(4))).resolves.toMatchObject({ outcome: 'inDoubt', error: { code } })
      if (done) expect(host.all()).not.toEqual(before)
      else expect(host.all()).toEqual(before)
    })

    if (name !== 'sample') return
    test('accepts an answer that is delayed by 50 ms', async () => {
      const { host, service, at } = await connect()
      host.next({ kind: 'delay', milliseconds: 50 })
      await expect(write(service, at(4))).resolves.toMatchObject({ outcome: 'applied' })
    })
  })

  /** Connects the app to a host with 45 or `websites` websites. `meeting` replaces operations of the client. */
  async function refreshing(meeting: Partial<Service> = {}, websites?: number) {
    const connected = await connect({}, websites)
    const clock = fakeClock()
    const app = startConnection({ service: { ...connected.service, ...meeting }, clock })
    onTestFinished(() => app.close())
    return { ...connected, clock, app }
  }

  test('parks an update that was answered with 500 if a read shows that the website was deleted', async () => {
    let requests = 0
    const meeting: Partial<Service> = {
      async update(id, changes) {
        if (requests++ === 0) host.next({ kind: 'answer', ...host.refusal(500, 'Server Error') })
        host.remove(id)
        return service.update(id, changes)
      },
    }
    const { host, service, app, at, clock } = await refreshing(meeting)
    must(await app.refresh.run())
    const { domain, email } = at(2)
    must(await app.outbox.update(app.keyOf(domain), { email: !email }))
    await expect
      .poll(async () => {
        await clock.advance(1000)
        return app.edits()
      })
      .toMatchObject([{ state: 'parked', reason: 'gone' }])
    expect(requests).toBe(1)
  })

  describe('the refresh', () => {
    const domains = (host: TestHost): string[] => host.all().map(({ domain }) => domain)
    const shown = (app: ReturnType<typeof startConnection>): string[] => app.list().map(({ domain }) => domain)

    test('shows all websites of the host and follows the changes of another client', async () => {
      const { host, app, at } = await refreshing()
      must(await app.refresh.run())
      expect(shown(app).sort()).toEqual(domains(host).sort())
      host.remove(at(2).id)
      host.add('other.test')
      must(await app.refresh.run())
      expect(shown(app).sort()).toEqual(domains(host).sort())
    })

    test('keeps all websites when a page was lost on the wire, and removes deleted ones at the next complete refresh', async () => {
      const lost = { page: 0, now: 0 }
      const meeting: Partial<Service> = {
        listNext(next) {
          if (++lost.now === lost.page) host.next({ kind: 'cut' })
          return service.listNext(next)
        },
      }
      const { host, service, app, clock } = await refreshing(meeting, 350)
      /** Runs a refresh without the delays of the rate limit, because small pages need many requests. */
      async function run() {
        let running = true
        const ran = app.refresh.run().finally(() => (running = false))
        while (running) await clock.advance(1000)
        return ran
      }
      must(await run())
      expect(app.view.total()).toBe(350)
      for (const { id } of host.all().slice(0, 40)) host.remove(id)
      for (const page of [1, 2]) {
        Object.assign(lost, { page, now: 0 })
        expect(await run()).toMatchObject({ ok: false, error: { code: 'interrupted' } })
        expect(app.view.total()).toBe(350)
      }
      lost.page = 0
      must(await run())
      expect(app.view.total()).toBe(310)
    })

    test('removes no website when a page of the list can’t be read', async () => {
      const { host, app } = await refreshing()
      must(await app.refresh.run())
      const all = shown(app)
      for (const { id } of host.all().slice(0, 40)) host.remove(id)
      // For the list and the account, which are read at the same time, and for the probe after them.
      host.next(...Array.from({ length: 4 }, (): Fault => ({ kind: 'answer', status: 200, body: HTML })))
      expect(await app.refresh.run()).toMatchObject({ ok: false, error: { code: 'not-the-service' } })
      expect(shown(app)).toEqual(all)
    })
  })
})
