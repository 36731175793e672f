import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { Service } from '../../../src/main/service/port.ts'
import { fakeClock, settled } from '../outbox/clock.ts'
import { codeOf, startConnection } from '../outbox/rig.ts'
import { startSample } from '../sample/calls.ts'
import { client } from '../service/host.ts'
import { Secret } from '../../../src/main/secrets/secret.ts'

/** The pages behind the first are answered as the test says. */
async function connect(listNext: (service: Service) => Service['listNext']) {
  const sample = await startSample({ websites: 350 })
  const network = client({ address: sample.address, key: () => new Secret(sample.apiKey) })
  const app = startConnection({ service: { ...network, listNext: listNext(network) }, clock: fakeClock() })
  onTestFinished(() => app.close())
  return app
}

test('while a page is kept the next one is on its way already', async () => {
  let kept = 0
  const keptWhenAsked: number[] = []
  const app = await connect((service) => (next) => {
    keptWhenAsked.push(kept)
    return service.listNext(next)
  })
  app.refresh.onChange(() => (kept = app.view.total()))
  await app.refresh.run()
  // The newest hundred; then those, and one page of the oldest.
  expect(keptWhenAsked).toEqual([100, 200])
  expect(app.view.total()).toBe(350)
})

test('where its number tells that there’s another to come, that is asked for before the records of a page are read', async () => {
  const log: string[] = []
  const app = await connect((service) => async (next, onUnread) => {
    log.push(`${next} asked`)
    const page = await service.listNext(next, onUnread)
    log.push(`${next} read`)
    return page
  })
  await app.refresh.run()
  const page = (n: number) => `sort_by=id&sort=asc&per_page=100&page=${String(n)}`
  expect(log).toEqual([`${page(2)} asked`, `${page(3)} asked`, `${page(2)} read`, `${page(3)} read`])
  expect(app.view.total()).toBe(350)
})

test('a page that can’t be kept ends the run, and nothing of it is under way afterwards', async () => {
  let underWay = 0
  const app = await connect((service) => async (next) => {
    underWay += 1
    const page = await service.listNext(next)
    await settled()
    underWay -= 1
    return page
  })
  const { savePage } = app.store
  app.store.savePage = (page) =>
    page.position === 0 ? { ok: false, error: { code: 'disk-full', message: '' } } : savePage(page)
  expect(codeOf(await app.refresh.run())).toBe('disk-full')
  expect(underWay).toBe(0)
})

test('one whose records can’t be read ends it too, once the page behind it that has been asked for is there', async () => {
  const log: string[] = []
  const app = await connect((service) => async (next, onUnread) => {
    const page = await service.listNext(next, onUnread)
    const isFirst = next.endsWith('page=2')
    if (!isFirst) await setTimeout(100)
    log.push(isFirst ? 'bad page' : 'next page')
    return isFirst ? { outcome: 'inDoubt', error: { code: 'not-the-service', message: '' }, meta: {} } : page
  })
  expect(codeOf(await app.refresh.run())).toBe('not-the-service')
  expect(log).toEqual(['bad page', 'next page'])
})
