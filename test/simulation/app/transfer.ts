import { isDeepStrictEqual } from 'node:util'
import { wireConnection } from '../../../src/main/compose-connection.ts'
import { createPause } from '../../../src/main/connectivity/pause.ts'
import { createSealer } from '../../../src/main/secrets/sealer.ts'
import { createConnectionKey } from '../../../src/main/connection/key.ts'
import { createServiceOver } from '../../../src/main/service/client.ts'
import type { EditView } from '../../../src/shared/edit.ts'
import type { ExportedEdit } from '../../../src/main/outbox/transfer/export-file.ts'
import { noBackgroundRefresh } from '../../no-background-refresh.ts'
import { readHere } from '../../read-here.ts'
import type { App } from './app.ts'
import { disks, type Disk } from '../disk/disk.ts'
import { guarded } from '../disk/guarded.ts'
import type { SimulatedKeychain } from '../machine/keychain.ts'
import { AppRun } from '../machine/app-run.ts'
import type { Seeded } from '../machine/random.ts'
import type { VirtualTime } from '../machine/clock.ts'

interface From {
  app: App
  time: VirtualTime
  keychain: SimulatedKeychain
  connection: string
  random: Seeded
}

/**
 * Exports the queue, imports it into an empty outbox of the same connection, and returns one text for each difference, except in
 * secrets (docs/sync.md#export-and-import). At random, the export is made long, and the process ends in the middle of a first
 * import. The second outbox sends nothing.
 */
export async function transfer(from: From): Promise<string[]> {
  const { app, random } = from
  const exported = await app.outbox.exportQueue()
  if (!exported.ok) return app.appRun.alive ? [`the export failed: ${exported.error.code}`] : []
  const text = random.chance(0.3) ? multiplied(exported.value.text) : exported.value.text
  const before = app.edits()
  let ids = 0
  const newId = () => `other-${String(++ids)}`
  const disk = disks.memory(newId)
  const start = () => startOther(from, disk, newId)
  const broken = random.chance(0.5) ? await interrupted(from, start, text) : null

  const { outbox, appRun } = start()
  const imported = await outbox.importQueue(text)
  if (!imported.ok) return [`the import failed: ${imported.error.code}`]
  const queued = allOf(outbox)
  const again = await outbox.exportQueue()
  appRun.end()
  if (!again.ok) return [`the export of what came in failed: ${again.error.code}`]
  const lost = before.filter(({ id }) => !queued.some((edit) => edit.id === id))
  const [was, is] = [fileOf(exported.value.text), fileOf(again.value.text)]
  const changed = before.filter(({ id }) => is.has(id) && !isDeepStrictEqual(was.get(id), is.get(id)))
  return [
    ...(broken === null || [0, queued.length].includes(broken) ? [] : [`${broken} of ${queued.length} were taken`]),
    ...imported.value.refused.map(({ domain, error }) => `${domain} was refused: ${error.code}`),
    ...lost.map(({ domain, kind }) => `${domain}: the ${kind} is missing`),
    ...changed.map(({ domain, kind }) => `${domain}: the ${kind} is another`),
  ]
}

/** Starts an outbox of the same connection that cannot reach the service. */
function startOther({ app, time, keychain, connection }: From, disk: Disk, newId: () => string) {
  const appRun = new AppRun(time, 0)
  const { outbox } = wireConnection(guarded(disk.open(), appRun), {
    record: app.record,
    key: createConnectionKey(keychain, connection, () => undefined),
    service: createServiceOver(
      () => new Promise(() => undefined),
      () => null,
    ),
    sealer: createSealer(keychain, connection),
    pause: createPause(true),
    clock: appRun,
    random: { id: newId, fraction: () => 0.5 },
    readImport: readHere,
    refreshConditions: noBackgroundRefresh,
    keepDays: () => 365,
  })
  outbox.start()
  return { outbox, appRun }
}

/** Imports `text` in a process that ends at one of its writes, and returns how many edits the next process finds in the queue. */
async function interrupted(
  { time, random }: From,
  start: () => ReturnType<typeof startOther>,
  text: string,
): Promise<number> {
  const first = start()
  first.appRun.crashAtWrite = { writes: 1 + random.below(12), written: random.chance(0.5) }
  await Promise.race([first.outbox.importQueue(text), ended(time, first.appRun)])
  first.appRun.end()
  const { outbox, appRun } = start()
  const queued = allOf(outbox).length
  appRun.end()
  return queued
}

const ended = (time: VirtualTime, appRun: AppRun): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => void (appRun.alive ? time.after(1, look) : resolve())
    look()
  })

function allOf(outbox: App['outbox']): EditView[] {
  const page = (n: number): EditView[] => {
    const listed = outbox.list({ page: n, per_page: 100 })
    const edits = listed.ok ? listed.value.edits : []
    return edits.length < 100 ? edits : [...edits, ...page(n + 1)]
  }
  return page(1)
}

/** Returns the export with copies of its rows under other names, so that it has more than a hundred edits. */
function multiplied(text: string): string {
  const file = JSON.parse(text) as { websites: object[]; edits: object[] }
  const copies = file.edits.length === 0 ? 0 : Math.ceil(101 / file.edits.length)
  const copy = <T>(rows: T[], n: number): T[] => rows.map((row) => JSON.parse(renamed(JSON.stringify(row), n)) as T)
  const all = <T>(rows: T[]): T[] => [...rows, ...Array.from({ length: copies }, (_, n) => copy(rows, n)).flat()]
  return JSON.stringify({ ...file, websites: all(file.websites), edits: all(file.edits) })
}

const renamed = (row: string, n: number): string =>
  row
    .replaceAll(/site-(\d+)\.example/g, `site-$1.copy-${n}.example`)
    .replaceAll(/"(key|id|website|restores)":"([^"]+)"/g, `"$1":"$2-copy-${n}"`)

/**
 * Returns the edits of an export by id, each with its website. The state of an edit with a password is left out, because the
 * password has to be typed again after the import.
 */
function fileOf(text: string): Map<string, object> {
  const { websites, edits } = JSON.parse(text) as { websites: { key: string }[]; edits: ExportedEdit[] }
  const websitesByKey = new Map(websites.map((website) => [website.key, website]))
  const rows = edits.map((edit) => (edit.password ? { ...edit, standing: null } : edit))
  return new Map(rows.map((row) => [row.id, { ...row, website: websitesByKey.get(row.website) }]))
}
