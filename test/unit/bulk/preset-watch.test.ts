import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { watchRemoteChanges, type PresetDrift } from '../../../src/main/bulk/preset-watch.ts'
import type { RemoteSummary } from '../../../src/shared/activity.ts'
import { fakeClock, type FakeClock } from '../outbox/clock.ts'
import { must, startConnection, useFolder } from '../outbox/rig.ts'
import { SimulatedService } from '../outbox/simulated-service.ts'

const at = useFolder()
let service: SimulatedService
let clock: FakeClock
let app: ReturnType<typeof startConnection>
/** The reported presets, one list for each refresh after which more websites differed from a watched preset. */
let reports: PresetDrift[][]
/** The summaries of remote changes, one for each report. */
let counts: RemoteSummary[]
let stop: () => void

function open(): void {
  app = startConnection({ service, clock, file: at() })
  stop = watchRemoteChanges(app, (news, drifts) => {
    counts.push(news.summary)
    if (drifts.length > 0) reports.push(drifts)
  })
}
const close = async (): Promise<void> => {
  stop()
  await app.close()
}

beforeEach(async () => {
  service = new SimulatedService()
  for (const name of ['a', 'b', 'c']) service.add(`${name}.example`, { privacy: 1 })
  reports = []
  counts = []
  clock = fakeClock()
  open()
  must(await app.refresh.run())
})
afterEach(close)

const save = (name: string, watched: boolean, id: string | null = null) =>
  must(app.presets.save({ id, name, change: { privacy: 1 }, watched }))
const setPrivacy = (domain: string, privacy: 0 | 1): void => {
  const record = [...service.records.values()].find((one) => one.domain === domain)
  if (record) service.records.set(record.id, { ...record, privacy })
}
/** Refreshes, and waits until the comparison with the presets has surely ended. */
async function refresh(): Promise<void> {
  await app.refresh.run()
  for (let turn = 0; turn < 200; turn++) await setImmediate()
}

test('reports the remote changes of a refresh once, even if no preset is watched', async () => {
  setPrivacy('a.example', 0)
  await refresh()
  await refresh()
  expect(counts).toEqual([{ added: 0, changed: 0, published: 1, deleted: 0 }])
  expect(reports).toEqual([])
})

test('reports a watched preset, with the number of websites that differ from it, when a refresh finds one that did not differ before', async () => {
  save('Client default', true)
  save('not watched', false)
  await refresh()
  expect(reports).toEqual([])
  setPrivacy('a.example', 0)
  setPrivacy('b.example', 0)
  await refresh()
  expect(reports).toEqual([[{ name: 'Client default', count: 2 }]])
  await refresh()
  setPrivacy('b.example', 1)
  await refresh()
  expect(reports).toHaveLength(1)
  // The same number of websites differs, but another website than before.
  setPrivacy('a.example', 1)
  setPrivacy('c.example', 0)
  await refresh()
  expect(reports.slice(1)).toEqual([[{ name: 'Client default', count: 1 }]])
  service.add('new.example', { privacy: 0 })
  setPrivacy('b.example', 0)
  setPrivacy('b.example', 1)
  await refresh()
  expect(reports.slice(2)).toEqual([[{ name: 'Client default', count: 2 }]])
})

test('reports 1,200 websites that differ from a watched preset once, and not again after a restart', async () => {
  save('Client default', true)
  for (let at = 0; at < 1200; at++) service.add(`w${at}.example`, { privacy: 1 })
  await refresh()
  expect(reports).toEqual([])
  for (let at = 0; at < 1200; at++) setPrivacy(`w${at}.example`, 0)
  await refresh()
  await expect.poll(() => reports).toEqual([[{ name: 'Client default', count: 1200 }]])
  await close()
  open()
  await clock.advance(60 * 60_000)
  await refresh()
  expect(reports).toHaveLength(1)
})

test('does not report a change of the user, nor a difference that arose while the preset was not watched', async () => {
  const { id } = save('Client default', true)
  await app.offline()
  must(await app.outbox.update(app.keyOf('a.example'), { privacy: 0 }))
  await app.online()
  await refresh()
  save('Client default', false, id)
  setPrivacy('b.example', 0)
  await refresh()
  save('Client default', true, id)
  await refresh()
  expect(reports).toEqual([])
})

test('after a restart, a failed refresh reports no difference from a watched preset, and the next refresh reports it', async () => {
  save('Client default', true)
  setPrivacy('a.example', 0)
  await close()
  open()
  // A read soon after a restart may be stale (docs/sync.md#stale-reads).
  await clock.advance(60 * 60_000)
  service.fail('list', { refuse: 'internal' })
  await refresh()
  expect(reports).toEqual([])
  await app.online()
  await refresh()
  expect(reports).toEqual([[{ name: 'Client default', count: 1 }]])
})
