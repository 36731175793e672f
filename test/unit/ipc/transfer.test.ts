import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTags } from '../../../src/main/local/tags.ts'
import { transferHandlers } from '../../../src/main/ipc/transfer.ts'
import type { Connections } from '../../../src/main/connection/connections.ts'
import type { FileDialogs } from '../../../src/main/shell/chosen-files.ts'
import type { CheckedRequest } from '../../../src/preload/bridge.ts'
import { writeUserFile } from '../../../src/main/shell/user-file.ts'
import { fakeClock } from '../outbox/clock.ts'
import { must, startConnection } from '../outbox/rig.ts'
import { SimulatedService } from '../outbox/simulated-service.ts'

let folder: string
let app: ReturnType<typeof startConnection>

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'siteward-transfer-'))
  app = startConnection({ service: new SimulatedService(), clock: fakeClock() })
  const run = must(app.store.beginRun())
  const websites = Array.from({ length: 1200 }, (_, n) => ({ id: `${n + 1}`, domain: `site-${n}.example`, extra: {} }))
  must(app.store.savePage({ run, mark: app.store.mark(), position: 0, websites }))
})
afterEach(() => {
  app.close()
  rmSync(folder, { recursive: true })
})

const wanted = (): CheckedRequest<'exportWebsites'> => ({
  ...{ search: '', search_by: 'domain', sort_by: 'id', sort: 'desc', filters: [] },
  ...{ format: 'csv', chosen: { all: true, keys: [] } },
})

test('a canceled export leaves no file and does not cancel the next one', async () => {
  const connection = { view: app.view, tags: createTags({ store: app.store, view: app.view }) }
  const connections = { active: () => connection } as unknown as Connections
  const files = {
    askSavePath: () => Promise.resolve(join(folder, 'list.csv')),
    write: writeUserFile,
  } as unknown as FileDialogs
  const progress: number[] = []
  let stopAt = 500
  const handlers = transferHandlers(connections, files, (_what, { done }) => {
    progress.push(done)
    if (done === stopAt) void handlers.cancelExport(undefined)
  })
  expect(await handlers.exportWebsites(wanted())).toEqual({
    ok: true,
    value: { saved: false, websites: 0 },
  })
  expect(progress).toEqual([500])
  expect(readdirSync(folder)).toEqual([])
  stopAt = 0
  expect(await handlers.exportWebsites(wanted())).toMatchObject({
    value: { saved: true, websites: 1200 },
  })
  expect(readdirSync(folder)).toEqual(['list.csv'])
})
