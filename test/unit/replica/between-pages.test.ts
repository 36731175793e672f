import { describe, expect, onTestFinished, test } from 'vitest'
import type { SampleStore } from '../../../src/main/sample/store.ts'
import type { Service } from '../../../src/main/service/port.ts'
import { fakeClock } from '../outbox/clock.ts'
import { must, startConnection } from '../outbox/rig.ts'
import { startSample } from '../sample/calls.ts'
import { client } from '../service/host.ts'
import { Secret } from '../../../src/main/secrets/secret.ts'

/**
 * Connects to the sample service.
 * `total`: whether lists contain the total number of websites.
 * `during` sets what another client does before each page of a list except the first.
 */
async function connect(websites: number, total: boolean) {
  const sample = await startSample({ websites })
  const network = client({ address: sample.address, key: () => new Secret(sample.apiKey) })
  let between: (store: SampleStore, page: number) => void = () => undefined
  let page = 0
  const requests: string[] = []
  const service: Service = {
    ...network,
    list(query) {
      requests.push(`list ${String(query.sort)}`)
      page = 1
      return withoutTotal(network.list(query))
    },
    listNext(next) {
      requests.push('next')
      between(sample.store, ++page)
      return withoutTotal(network.listNext(next))
    },
  }
  /** Removes the total, which some hosts don't send. */
  async function withoutTotal(answer: ReturnType<Service['list']>): ReturnType<Service['list']> {
    const read = await answer
    if (read.outcome === 'applied' && !total) delete read.value.total
    return read
  }
  const app = startConnection({ service, clock: fakeClock() })
  onTestFinished(() => app.close())
  const unlisted = (): string[] =>
    sample.store
      .all()
      .map(({ domain }) => domain)
      .filter((domain) => app.list(domain).every((website) => website.domain !== domain))
  return { app, requests, store: sample.store, during: (act: typeof between) => void (between = act), unlisted }
}

/** Returns a function for `during` that acts only before one page. */
const onceAt =
  (when: number, act: (store: SampleStore) => void) =>
  (store: SampleStore, page: number): void => {
    if (page === when) act(store)
  }

describe('while the pages are read, another client', () => {
  test('adds a website: that website is in the list at the end of the same refresh', async () => {
    const { app, store, during } = await connect(350, true)
    during(onceAt(2, () => store.create({ domain: 'late.test' })))
    must(await app.refresh.run())
    expect(app.list('late.test')).toHaveLength(1)
    expect(app.view.total()).toBe(351)
  })

  test('deletes a website of a page that was already read: no other website is skipped if the service says the total', async () => {
    const { app, store, during, unlisted } = await connect(350, true)
    during(onceAt(2, () => store.delete(5)))
    must(await app.refresh.run())
    // While the second page was requested, the 101st website moved to the first page.
    expect(unlisted()).toEqual([])
    must(await app.refresh.run())
    expect(app.view.total()).toBe(349)
  })

  test('deletes a website: another website that is skipped for that reason isn’t taken for deleted', async () => {
    const { app, store, during, unlisted } = await connect(350, false)
    must(await app.refresh.run())
    during(onceAt(2, () => store.delete(5)))
    must(await app.refresh.run())
    expect(unlisted()).toEqual([])
    must(await app.refresh.run())
    expect(app.view.total()).toBe(349)
  })

  test('deletes one of the newest websites and adds another: the total is unchanged, and the next run adds it to the list', async () => {
    const { app, store, during, unlisted } = await connect(350, true)
    during(
      onceAt(2, (store) => {
        store.delete(300)
        store.create({ domain: 'late.test' })
      }),
    )
    must(await app.refresh.run())
    expect(unlisted().filter((domain) => domain !== 'late.test')).toEqual([])
    during(() => undefined)
    must(await app.refresh.run())
    expect(unlisted()).toEqual([])
    expect([app.view.total(), store.all().length]).toEqual([350, 350])
  })

  test('deletes a website of a page that was already read and adds another: after the next refresh, all websites are listed', async () => {
    const { app, during, unlisted } = await connect(350, true)
    during(
      onceAt(2, (store) => {
        store.delete(5)
        store.create({ domain: 'late.test' })
      }),
    )
    must(await app.refresh.run())
    during(() => undefined)
    must(await app.refresh.run())
    expect(unlisted()).toEqual([])
  })

  test('deletes websites repeatedly: the list is read at most twice', async () => {
    const { app, requests, store, during } = await connect(450, true)
    during((_store, page) => void store.delete(page))
    must(await app.refresh.run())
    expect(requests.filter((each) => each === 'list asc').length).toBeLessThanOrEqual(2)
  })
})

test('sends one request per page if nothing changes during the read', async () => {
  const { app, requests, unlisted } = await connect(350, true)
  must(await app.refresh.run())
  expect(requests).toEqual(['list desc', 'list asc', 'next', 'next'])
  expect(unlisted()).toEqual([])
})

test('reads the list to its end if the service doesn’t say the total', async () => {
  const { app, requests, unlisted } = await connect(350, false)
  must(await app.refresh.run())
  expect(requests).toEqual(['list desc', 'list asc', 'next', 'next', 'next'])
  expect(unlisted()).toEqual([])
})
