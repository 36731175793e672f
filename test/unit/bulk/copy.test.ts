import { afterEach, beforeEach, expect, test } from 'vitest'
import { copyWebsites, previewCopy } from '../../../src/main/bulk/copy.ts'
import { createBulk } from '../../../src/main/bulk/bulk.ts'
import { ok } from '../../../src/shared/result.ts'
import { fakeClock } from '../outbox/clock.ts'
import { must, startConnection } from '../outbox/rig.ts'
import { SimulatedService } from '../outbox/simulated-service.ts'
import { portsOf } from './rig.ts'

/** Starts an account that has read its websites and has gone offline. */
async function account(service: SimulatedService) {
  const app = startConnection({ service, clock: fakeClock() })
  must(await app.refresh.run())
  await app.offline()
  return { ...app, bulk: createBulk({ ...portsOf(app), outcome: app.outcome }) }
}

type Account = Awaited<ReturnType<typeof account>>
let source: Account
let target: Account
beforeEach(async () => {
  const from = new SimulatedService()
  from.add('plain.example', { privacy: 0, email: true, exclude_ips: ['192.0.2.1', '192.0.2.2'], exclude_params: ['a'] })
  from.add('there.example')
  from.add('secret.example', { privacy: 2, password: true, email: true, exclude_params: [] })
  const to = new SimulatedService()
  to.add('there.example')
  source = await account(from)
  target = await account(to)
})
afterEach(() => {
  source.close()
  target.close()
})

const keys = () => ['plain.example', 'there.example', 'secret.example'].map((domain) => source.keyOf(domain))
const copied = (domain: string) => target.list().find((website) => website.domain === domain)

test('shows what a copy would do, and queues nothing', async () => {
  expect(must(await previewCopy(source, target, [...keys(), 'unknown']))).toMatchObject([
    { domain: 'plain.example', effect: 'copied', unknown: [] },
    { domain: 'there.example', effect: 'exists', unknown: [] },
    { domain: 'secret.example', effect: 'protected' },
    { key: 'unknown', effect: 'gone' },
  ])
  expect(target.list()).toHaveLength(1)
})

test('previews a copy of 1,000 websites to another account in slices, so that other work is done in between', async () => {
  const website = source.view.get(source.keyOf('plain.example'))
  const view = { get: (key: string) => website && { ...website, key, domain: `${key}.example` } }
  const outbox = { takenDomains: () => Promise.resolve(ok([])) }
  let turns = 0
  const timer = setInterval(() => (turns += 1), 0)
  const preview = await previewCopy(
    { view },
    { outbox },
    Array.from({ length: 1000 }, (_, n) => `w${n}`),
  )
  clearInterval(timer)
  expect(must(preview)).toHaveLength(1000)
  expect(turns).toBeGreaterThan(3)
})

test('copies websites with the same settings, and skips domains that the other account has', async () => {
  const result = must(await copyWebsites(source, target, keys(), null))
  expect(result).toMatchObject({ created: 1, refused: [] })
  expect(copied('plain.example')).toMatchObject({
    ...{ privacy: 0, email: true, state: 'held' },
    ...{ exclude_ips: ['192.0.2.1', '192.0.2.2'], exclude_params: ['a'] },
  })
  expect(target.list()).toHaveLength(2)
  expect(source.list()).toHaveLength(3)
})

test('a domain counts as existing if the other account has it in another spelling, but not if its delete is pending there', async () => {
  const from = new SimulatedService()
  for (const name of ['mixed', 'gone']) from.add(`${name}.example`)
  from.add('www.münchen.example')
  const to = new SimulatedService()
  to.add('WWW.Mixed.Example')
  to.add('xn--mnchen-3ya.example')
  to.add('Gone.example')
  const [odd, other] = [await account(from), await account(to)]
  must(await other.outbox.delete(other.keyOf('Gone.example')))
  const all = odd.list().map(({ key }) => key)
  const effects = must(await previewCopy(odd, other, all)).map(({ domain, effect }) => [domain, effect])
  expect(Object.fromEntries(effects)).toEqual({
    ...{ 'mixed.example': 'exists', 'www.münchen.example': 'exists', 'gone.example': 'copied' },
  })
  odd.close()
  other.close()
})

test('a website with a password is copied only with a new password or another privacy', async () => {
  must(await copyWebsites(source, target, keys(), null))
  expect(copied('secret.example')).toBeUndefined()
  must(await copyWebsites(source, target, keys(), { privacy: 2, password: 'new one' }))
  expect(copied('secret.example')).toMatchObject({ privacy: 2, password: true, email: true, exclude_params: [] })
  const other = await account(new SimulatedService())
  must(await copyWebsites(source, other, keys(), { privacy: 1 }))
  expect(other.list().find(({ domain }) => domain === 'secret.example')).toMatchObject({ privacy: 1, email: true })
  other.close()
})

test('a copy is one bulk change of the other account, with one undo', async () => {
  const { bulkChange } = must(await copyWebsites(source, target, keys(), { privacy: 1 }))
  expect(target.outcome.state()).toMatchObject({ id: bulkChange, kind: 'create', websites: 2, canUndo: true })
  expect(source.outcome.state()).toBeNull()
  expect(must(await target.bulk.undo(bulkChange))).toMatchObject({ changed: 2 })
  expect(target.list()).toHaveLength(1)
})

test('reports the websites that can’t be created, and copies one of two with the same domain', async () => {
  const from = new SimulatedService()
  from.add('not a domain')
  from.add('twice.example')
  from.add('twice.example')
  const odd = await account(from)
  const all = odd.list().map(({ key }) => key)
  expect(
    must(await previewCopy(odd, target, all))
      .map(({ effect }) => effect)
      .toSorted(),
  ).toEqual(['copied', 'copied', 'exists'])
  const result = must(await copyWebsites(odd, target, all, null))
  expect(result).toMatchObject({ created: 1, refused: [{ domain: 'not a domain', error: { code: 'invalid-input' } }] })
  odd.close()
})
