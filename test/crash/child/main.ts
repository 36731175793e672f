/**
 * Runs one or more accounts, wired as in the app, on real files, a keychain and HTTP services, in a process that the tests kill.
 * The orders come by stdin, because other processes can see a command line, and the orders contain secrets.
 * Each message is written at once, so that a kill loses none.
 */
import { mkdirSync, readdirSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setImmediate as othersTurn, setTimeout as pause } from 'node:timers/promises'
import { randomUUID } from 'node:crypto'
import { wireConnection } from '../../../src/main/compose-connection.ts'
import { createPause } from '../../../src/main/connectivity/pause.ts'
import { createConnectionKey } from '../../../src/main/connection/key.ts'
import { createKeychain, type Keytar } from '../../../src/main/secrets/keychain.ts'
import { createSealer } from '../../../src/main/secrets/sealer.ts'
import { Secret } from '../../../src/main/secrets/secret.ts'
import { createService } from '../../../src/main/service/client.ts'
import { createDispatcher } from '../../../src/main/service/dispatcher.ts'
import { openAppStore } from '../../../src/main/storage/app.ts'
import { checkOrRestoreFile } from '../../../src/main/storage/prepare.ts'
import { openStore } from '../../../src/main/storage/store.ts'
import type { OpenConnection } from '../../../src/main/connection/open-connection.ts'
import type { ActivityPage } from '../../../src/shared/activity.ts'
import type { EditView } from '../../../src/shared/edit.ts'
import type { Result } from '../../../src/shared/result.ts'
import { noBackgroundRefresh } from '../../no-background-refresh.ts'
import { readHere } from '../../read-here.ts'
import type { AccountOrders, Line, Orders } from '../protocol.ts'
import { SPEED_UP, monotonic, wall } from '../clock.ts'
import { runCommand } from './run-command.ts'
import { meetIn, meetOnTheWire, withKillPoints } from './kill-points.ts'
import { weakenDatabase, weakenSealer } from './weakened.ts'

const orders = JSON.parse(await text(process.stdin)) as Orders
const { folder, weakness } = orders
weakenDatabase(weakness)

type Said = Line extends infer One ? (One extends Line ? Omit<One, 'at'> : never) : never
const say = (line: Said): void => {
  writeSync(1, `${JSON.stringify({ at: String(process.hrtime.bigint()), ...line })}\n`)
}

function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.error.code} ${result.error.message}`)
  return result.value
}

type Listed = EditView & { account: number; open: OpenConnection }

// Runs until it is killed, like the tray app, or until its parent ends.
const parent = process.ppid
const staying = setInterval(() => process.ppid !== parent && process.exit(), 500)

// Wired as in compose.ts. Only the check of large files differs: it uses no worker.
const connections = join(folder, 'connections')
mkdirSync(connections, { recursive: true })
const appFile = join(folder, 'siteward.db')
must(checkOrRestoreFile({ file: appFile, kind: 'app', hadData: readdirSync(connections).length > 0 }))
const app = must(openAppStore(appFile))
const keychain = createKeychain({
  load: async () => (await import('keytar')).default as Keytar,
  service: 'app.siteward.crash-test',
  records: app.keychainRecords,
})
const dispatcher = createDispatcher()
const meet = meetIn(orders)
meetOnTheWire(meet)
const accounts = orders.accounts.map(openAccount)
say({ says: 'open' })

await Promise.all(accounts.map(({ live }) => live()))
let adopted = 0
let edits = await settled()
while (await answered(edits)) edits = await settled()

function openAccount({ connection, address, key: entered, commands }: AccountOrders, account: number) {
  const key = createConnectionKey(keychain, connection, () => {})
  const record = { id: connection, address: 'http://localhost', accountId: null, name: 'localhost', sample: false }
  const file = join(connections, `${connection}.db`)
  const hadData = app.connections().some(({ id }) => id === connection)
  must(checkOrRestoreFile({ file, kind: 'connection', hadData }))

  let isCommandRunning = false
  const store = withKillPoints(must(openStore(file, record)), meet, {
    isCommandRunning: () => isCommandRunning,
    sendingLate: weakness === 'sending-late',
  })
  const open = wireConnection(store, {
    readImport: readHere,
    refreshConditions: noBackgroundRefresh,
    keepDays: () => 365,
    record,
    key,
    service: createService({ address, key: () => key.current(), dispatcher }),
    sealer: weakenSealer(createSealer(keychain, connection), weakness),
    pause: createPause(false),
    clock: {
      wall,
      monotonic,
      after(ms, call) {
        const timer = setTimeout(call, ms / SPEED_UP)
        return () => clearTimeout(timer)
      },
      soon(call) {
        const turn = setImmediate(call)
        return () => clearImmediate(turn)
      },
    },
    random: { id: randomUUID, fraction: Math.random },
  })

  async function live(): Promise<void> {
    await key.load()
    // If there is no key, the previous process has ended before it connected, or between the app's record of the key and the
    // keychain's own entry, so that the key looks locked. The user then enters the key.
    if (key.current() === null) must(await key.replace(new Secret(entered), 'keychain'))
    if (!hadData) {
      must(app.saveConnection(record))
      must(app.setActive(connection))
    }
    open.start()
    const refreshed = open.refresh.run()
    if (!store.hasCompleteSnapshot()) must(await refreshed)

    for (const command of commands) {
      if (command.after > 0) await pause(command.after)
      else await othersTurn()
      const { n } = command
      say({ says: 'try', account, n })
      if (weakness === 'told-early') say({ says: 'ok', account, n })
      isCommandRunning = true
      const answer = await runCommand(open, command)
      isCommandRunning = false
      if (!answer.ok) say({ says: 'no', account, n, code: answer.error.code })
      else if (weakness !== 'told-early') say({ says: 'ok', account, n })
      if (answer.ok) meet('enqueue-told')
    }
    await refreshed
  }

  return { open, live }
}

/**
 * Answers parked edits as a user would: sends an edit again whose process was killed five times while it was sent (`failing`),
 * and adopts or deletes a website whose creation can't be dated. Returns true if it has answered any.
 */
async function answered(edits: Listed[]): Promise<boolean> {
  let any = false
  for (const { open, id, reason, ways } of edits) {
    if (reason === 'adopt') adopted += 1
    const answer =
      reason === 'failing'
        ? open.outbox.sendNow(id)
        : reason === 'adopt'
          ? await open.outbox.resolve(id, { way: ways.includes('adopt') ? 'adopt' : 'delete' })
          : null
    any ||= answer?.ok === true
  }
  return any
}

/** Waits until only parked edits are pending, and returns them. Answers them repeatedly, because other edits wait for them. */
async function settled(): Promise<Listed[]> {
  const has = (count: 'waiting' | 'parked') => accounts.some(({ open }) => open.outbox.counts()[count] > 0)
  while (has('waiting')) {
    if (has('parked')) await answered(listed())
    await pause(2)
  }
  return listed()
}

function listed(): Listed[] {
  return accounts.flatMap(({ open }, account) =>
    must(open.outbox.list({ page: 1, per_page: 1000 })).edits.map((edit) => ({ ...edit, account, open })),
  )
}

function domainsOf({ outbox }: OpenConnection): string[] {
  const domains = new Set<string>()
  let after: ActivityPage['next'] = null
  do {
    const page: ActivityPage = must(outbox.activity({ limit: 100, ...(after && { after }) }))
    for (const { domain } of page.entries) domains.add(domain)
    after = page.next
  } while (after !== null)
  return [...domains]
}

const parked = edits.map(({ account, domain, kind, reason, error }) => ({
  account,
  domain,
  kind,
  reason: String(reason),
  error: error?.code ?? '',
}))
say({ says: 'idle', parked, adopted, activity: accounts.map(({ open }) => domainsOf(open)) })
if (orders.closes) {
  clearInterval(staying)
  await Promise.all(accounts.map(({ open }) => open.close()))
  await dispatcher.destroy()
  app.close()
  say({ says: 'closed' })
}
