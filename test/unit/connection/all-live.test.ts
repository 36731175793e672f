import Database from 'better-sqlite3'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { OpenConnection } from '../../../src/main/connection/open-connection.ts'
import { Secret } from '../../../src/main/secrets/secret.ts'
import { restoreConnections } from '../../../src/main/storage/app.ts'
import { aDraft, useRig, type Rig } from './rig.ts'

const current = useRig()
const EDITS_OF_FULL_OUTBOX = 3_000

const runningOf = (rig: Rig, id: string): OpenConnection => {
  const found = rig.connections.all().find(({ record }) => record.id === id)
  if (found === undefined) throw new Error(`${id} doesn’t run`)
  return found
}

/** Starts a host that answers no more requests once a test sets `at.hangs`. */
async function hangingHost(rig: Rig) {
  const host = await rig.host({ id: 9, key: 'hangs', websites: ['hangs.example'] })
  const at = { hangs: false }
  const server = createServer((request, response) => {
    if (at.hangs) return
    void fetch(host.address + (request.url ?? ''), { headers: request.headers as Record<string, string> }).then(
      async (answer) => {
        response.writeHead(answer.status, { 'content-type': 'application/json' })
        response.end(await answer.text())
      },
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { address: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, at }
}

async function restarted(rig: Rig): Promise<void> {
  await rig.connections.close()
  rig.connections = rig.start()
  await rig.connections.restore()
  await rig.connections.runOthers()
}

test('a connection that is not shown sends its edits, and switching does not interrupt it', async () => {
  const rig = current()
  const host = await rig.host({ id: 1, key: 'a', websites: [] }, { id: 2, key: 'b', websites: [] })
  const first = await rig.connected(host.address, 'a')
  const second = await rig.connected(host.address, 'b')
  const hidden = runningOf(rig, first.id)
  await hidden.outbox.create(aDraft('hidden.example'))
  await rig.connections.switchTo(first.id)
  await rig.connections.switchTo(second.id)
  expect(runningOf(rig, first.id)).toBe(hidden)
  await expect.poll(() => host.stores[0]?.byDomain('hidden.example')).toBeTruthy()
  expect(host.stores[1]?.all()).toEqual([])
})

test('after a restart all connections with a key run again, and send what is pending', async () => {
  const rig = current()
  const host = await rig.host({ id: 1, key: 'a', websites: [] }, { id: 2, key: 'b', websites: [] })
  const first = await rig.connected(host.address, 'a')
  const second = await rig.connected(host.address, 'b')
  for (const { outbox } of rig.connections.all()) {
    await outbox.stop()
    await outbox.create(aDraft())
  }
  await restarted(rig)
  expect(rig.connections.all().map(({ record }) => record.id)).toEqual([second.id, first.id])
  for (const store of host.stores) await expect.poll(() => store.byDomain('new.example')).toBeTruthy()
})

test('a connection without a key does not run until it is shown', async () => {
  const rig = current()
  const host = await rig.host({ id: 1, key: 'a', websites: [] }, { id: 2, key: 'b', websites: [] })
  const first = await rig.connected(host.address, 'a')
  await rig.connections.disconnect()
  const second = await rig.connected(host.address, 'b')
  await restarted(rig)
  expect(rig.connections.all().map(({ record }) => record.id)).toEqual([second.id])
  expect(await rig.connections.switchTo(first.id)).toMatchObject({ ok: true, value: { key: 'missing' } })
})

test('a locked keychain is asked once at the start, and for every connection once it is unlocked', async () => {
  const rig = current()
  const host = await rig.host({ id: 1, key: 'a', websites: [] }, { id: 2, key: 'b', websites: [] })
  await rig.connected(host.address, 'a')
  await rig.connected(host.address, 'b')
  await rig.connections.close()
  const entries = new Map(rig.keys.stored)
  rig.keys.stored.clear() // a locked keychain answers that it has no entry
  const readsBefore = rig.keys.at.reads
  rig.connections = rig.start()
  await rig.connections.restore()
  await rig.connections.runOthers()
  expect(rig.keys.at.reads - readsBefore).toBe(1)
  for (const [name, value] of entries) rig.keys.stored.set(name, value)
  rig.connections.keychainOpened()
  await expect.poll(() => rig.connections.all().map(({ key }) => key.state())).toEqual(['stored', 'stored'])
})

test.each(['retryKeychain', 'keychainOpened'] as const)(
  'if the key of one account was removed from the keychain, the other accounts still get their keys (%s)',
  async (call) => {
    const rig = current()
    const host = await rig.host(...['a', 'b', 'c'].map((key, id) => ({ id, key, websites: [] })))
    for (const key of ['a', 'b']) await rig.connected(host.address, key)
    const shown = await rig.connected(host.address, 'c')
    await rig.connections.close()
    rig.keys.stored.delete(`${shown.id}:api-key`)
    rig.connections = rig.start()
    await rig.connections.restore()
    await rig.connections.runOthers()
    const states = () => rig.connections.all().map(({ key }) => key.state())
    expect(states()).toEqual(['locked', 'loading', 'loading'])
    await rig.connections[call]()
    await expect.poll(states).toEqual(['missing', 'stored', 'stored'])
  },
)

test('after the app’s file was lost, the other accounts get their keys although one account has no stored key', async () => {
  const rig = current()
  const host = await rig.host(...['a', 'b', 'c'].map((key, id) => ({ id, key, websites: [] })))
  await rig.connections.connect(host.address, new Secret('a'), 'run')
  for (const key of ['b', 'c']) await rig.connected(host.address, key)
  await rig.connections.close()
  const lost = rig.app.connections()
  rig.app.setActive(null)
  for (const { id } of lost) rig.app.removeConnection(id)
  restoreConnections(rig.app, lost)
  rig.app.noteRecovery({ why: 'damaged', at: 0, quarantined: '', backupAt: null, websites: 0, edits: 0 })
  rig.connections = rig.start()
  await rig.connections.runOthers()
  expect(rig.connections.all().map(({ key }) => key.state())).toEqual(['missing', 'stored', 'stored'])
})

test('a change whose password waits for a slow keychain is sent when the keychain answers, without any action by the user', async () => {
  const rig = current()
  const host = await rig.host({ id: 1, key: 'a', websites: [] })
  await rig.connections.connect(host.address, new Secret('a'), 'run')
  await rig.connections.active()?.outbox.stop()
  await rig.connections.active()?.outbox.create({ ...aDraft(), privacy: 2, password: 'secret-password' })
  await rig.connections.close()
  const late = Promise.withResolvers<void>()
  const { getPassword } = rig.keys.keytar
  rig.keys.keytar.getPassword = async (service, name) => {
    if (name.endsWith(':data-key')) await late.promise
    return getPassword(service, name)
  }
  rig.keychainLimit = 50
  rig.connections = rig.start()
  await rig.connections.restore()
  await rig.connections.replaceKey(new Secret('a'), 'run', true)
  const held = () => rig.connections.active()?.outbox.list({ page: 1, per_page: 1 })
  await expect.poll(held).toMatchObject({ value: { edits: [{ reason: 'keychain' }] } })
  late.resolve()
  await expect.poll(() => host.stores[0]?.byDomain('new.example')).toBeTruthy()
})

test('the key of the shown account is reported as locked even if another account has opened and asked the keychain first', async () => {
  const rig = current()
  const host = await rig.host({ id: 1, key: 'a', websites: [] }, { id: 2, key: 'b', websites: [] })
  await rig.connected(host.address, 'a')
  const shown = await rig.connected(host.address, 'b')
  await rig.connections.close()
  rig.keys.stored.clear()
  let open = (): void => undefined
  rig.slowFiles.set(shown.id, new Promise((resolve) => (open = resolve)))
  rig.connections = rig.start()
  const restored = rig.connections.restore()
  const others = rig.connections.runOthers()
  await expect.poll(() => rig.connections.all().map(({ key }) => key.state())).toEqual(['locked'])
  open()
  await restored
  await others
  expect(rig.connections.active()?.key.state()).toBe('locked')
})

test('a file that takes long to open delays neither the other accounts nor the switch between them', async () => {
  const rig = current()
  const host = await rig.host(...['slow', 'hidden', 'shown'].map((key, id) => ({ id, key, websites: [] })))
  const slow = await rig.connected(host.address, 'slow')
  const hidden = await rig.connected(host.address, 'hidden')
  const shown = await rig.connected(host.address, 'shown')
  for (const { outbox } of rig.connections.all()) {
    await outbox.stop()
    await outbox.create(aDraft())
  }
  await rig.connections.close()
  let open = (): void => undefined
  rig.slowFiles.set(slow.id, new Promise((resolve) => (open = resolve)))
  rig.connections = rig.start()
  await rig.connections.restore()
  const others = rig.connections.runOthers()

  await expect.poll(() => host.stores[1]?.byDomain('new.example')).toBeTruthy()
  const wanted = rig.connections.switchTo(slow.id)
  expect(await rig.connections.list()).toMatchObject({
    ok: true,
    value: [
      { id: slow.id, opening: true, unsent: null },
      { id: hidden.id, opening: false, unsent: expect.any(Number) },
      { id: shown.id, active: true, opening: false },
    ],
  })
  expect(await rig.connections.switchTo(hidden.id)).toMatchObject({ ok: true })
  expect(await rig.connections.switchTo(shown.id)).toMatchObject({ ok: true })
  expect(rig.connections.accounts()).toMatchObject([{ running: false, problem: null }, { running: true }, {}])

  open()
  // The user has switched to another account while the file was being opened.
  expect(await wanted).toMatchObject({ ok: false, error: { code: 'no-connection' } })
  await others
  expect(await rig.connections.list()).toMatchObject({
    value: [{ id: slow.id, opening: false, unsent: expect.any(Number) }, { id: hidden.id }, { active: true }],
  })
  await expect.poll(() => host.stores[0]?.byDomain('new.example')).toBeTruthy()
})

test('a slow file of the shown account delays no other account, and the user can switch to another one', async () => {
  const rig = current()
  const host = await rig.host(...['hidden', 'slow'].map((key, id) => ({ id, key, websites: [] })))
  const hidden = await rig.connected(host.address, 'hidden')
  const slow = await rig.connected(host.address, 'slow')
  await rig.connections.close()
  let open = (): void => undefined
  rig.slowFiles.set(slow.id, new Promise((resolve) => (open = resolve)))
  rig.connections = rig.start()
  const restored = rig.connections.restore()
  const others = rig.connections.runOthers()

  expect(await rig.connections.switchTo(hidden.id)).toMatchObject({ ok: true, value: { id: hidden.id } })
  // Until `restore` resolves, the window stores no typed text and follows no link or notification.
  expect(await restored).toMatchObject({ ok: true })
  open()
  await others
  expect(rig.connections.view()).toMatchObject({ id: hidden.id })
  expect(rig.connections.all().map(({ key }) => key.state())).toEqual(['stored', 'stored'])
})

test.each(['restore', 'list'] as const)(
  'closing waits a second for a file that takes long to open (%s)',
  async (call) => {
    const rig = current()
    const host = await rig.host({ id: 1, key: 'slow', websites: [] })
    const { id } = await rig.connected(host.address, 'slow')
    await rig.connections.close()
    rig.slowFiles.set(id, new Promise(() => undefined))
    rig.connections = rig.start()
    const called = rig.connections[call]()
    await new Promise((resolve) => void setImmediate(resolve))
    const closed = rig.connections.close()
    expect([...rig.timers].map(({ ms }) => ms)).toEqual([1_000])
    for (const { call: end } of rig.timers) end()
    await closed
    expect(await called).toMatchObject({ ok: call === 'list' })
    expect(rig.timers.size).toBe(0)
  },
)

describe('an account whose file couldn’t be opened at the start', () => {
  /** Starts with two accounts. The file of one of them can't be opened until `mend` is called. */
  async function withFailure(which: 'hidden' | 'shown' = 'hidden') {
    const rig = current()
    const host = await rig.host({ id: 1, key: 'a', websites: [] }, { id: 2, key: 'b', websites: [] })
    const { id } = await rig.connected(host.address, 'a')
    await rig.connected(host.address, 'b')
    if (which === 'shown') await rig.connections.switchTo(id)
    await rig.connections.close()
    const file = join(rig.folder, `${id}.db`)
    renameSync(file, `${file}.moved`)
    mkdirSync(file)
    rig.connections = rig.start()
    await rig.connections.restore()
    await rig.connections.runOthers()
    expect(stateOf(rig)).toMatchObject({ id, running: false, problem: { code: 'storage' } })
    const mend = (): void => {
      rmSync(file, { recursive: true })
      renameSync(`${file}.moved`, file)
    }
    return { rig, id, mend }
  }
  const stateOf = (rig: Rig) => rig.connections.accounts()[0]
  /** Runs the next timer, and returns its milliseconds. */
  function nextTimer(rig: Rig): number {
    const [timer] = rig.timers
    if (timer === undefined) throw new Error('There is no timer.')
    rig.timers.delete(timer)
    timer.call()
    return timer.ms
  }

  test('is opened again after every minute until it runs', async () => {
    const { rig, mend } = await withFailure()
    expect(nextTimer(rig)).toBe(60_000)
    await expect.poll(() => rig.timers.size).toBe(1)
    mend()
    expect(nextTimer(rig)).toBe(60_000)
    await expect.poll(() => stateOf(rig)).toMatchObject({ running: true, problem: null, key: 'stored' })
    expect(rig.timers.size).toBe(0)
  })

  test.each(['resumed', 'list'] as const)(
    'is opened again at once when the computer has woken or the accounts are listed (%s)',
    async (call) => {
      const { rig, mend } = await withFailure()
      mend()
      await rig.connections[call]()
      await expect.poll(() => stateOf(rig)).toMatchObject({ running: true, problem: null })
    },
  )

  test('is not opened again once an attempt has found that a newer version wrote the file', async () => {
    const { rig, id, mend } = await withFailure()
    mend()
    const db = new Database(join(rig.folder, `${id}.db`))
    db.exec('DROP TABLE edit; PRAGMA user_version = 99')
    db.close()
    nextTimer(rig)
    await expect.poll(() => stateOf(rig)).toMatchObject({ running: false, problem: { code: 'newer-version' } })
    nextTimer(rig)
    await rig.connections.list()
    expect(rig.timers.size).toBe(0)
  })

  test.each(['hidden', 'shown'] as const)(
    'is not opened again once the user has removed the account, even if its files could not be deleted (%s account)',
    async (which) => {
      const { rig, id, mend } = await withFailure(which)
      mend()
      // The deletion fails, because a folder has the place of a file.
      mkdirSync(join(rig.folder, `${id}.db.folder`))
      expect(await rig.connections.remove(id, 0)).toMatchObject({ error: { code: 'storage' } })
      await rig.connections.list()
      await rig.connections.close()
      expect(stateOf(rig)).toMatchObject({ id, problem: { code: 'storage' } })
    },
  )

  test('is not opened again after the app has been closed', async () => {
    const { rig } = await withFailure()
    await rig.connections.close()
    expect(rig.timers.size).toBe(0)
  })
})

test('a disconnected account whose file could not be opened when the user chose it is not listed with a problem', async () => {
  const rig = current()
  const host = await rig.host({ id: 1, key: 'a', websites: [] }, { id: 2, key: 'b', websites: [] })
  const { id } = await rig.connected(host.address, 'a')
  await rig.connections.disconnect()
  await rig.connected(host.address, 'b')
  const file = join(rig.folder, `${id}.db`)
  renameSync(file, `${file}.moved`)
  mkdirSync(file)
  expect(await rig.connections.switchTo(id)).toMatchObject({ error: { code: 'storage' } })
  expect(rig.connections.accounts()[0]).toMatchObject({ id, running: false, problem: null })
  rmSync(file, { recursive: true })
  renameSync(`${file}.moved`, file)
})

test('an account that hangs, one whose key is rejected, one with a damaged file and one with a full outbox don’t delay another', async () => {
  const rig = current()
  const works = await rig.host({ id: 1, key: 'works', websites: [] })
  const rejecting = await rig.host({ id: 2, key: 'rejects', websites: ['rejects.example'] })
  const damagedHost = await rig.host({ id: 3, key: 'damaged', websites: ['damaged.example'] })
  const hanging = await hangingHost(rig)
  const busyHost = await rig.host({ id: 4, key: 'full', websites: [] })

  const damaged = await rig.connected(damagedHost.address, 'damaged')
  await expect.poll(() => rig.connections.active()?.view.total()).toBe(1)
  const hangs = await rig.connected(hanging.address, 'hangs')
  const rejected = await rig.connected(rejecting.address, 'rejects')
  const full = await rig.connected(busyHost.address, 'full')
  const working = await rig.connected(works.address, 'works')
  await rig.connections.close()

  hanging.at.hangs = true
  for (const name of rig.keys.stored.keys()) if (name.startsWith(rejected.id)) rig.keys.stored.set(name, 'revoked')
  const file = join(rig.folder, `${damaged.id}.db`)
  const bytes = readFileSync(file)
  bytes.fill(0xff, 4096)
  writeFileSync(file, bytes)
  rig.connections = rig.start()
  await rig.connections.restore()
  await rig.connections.runOthers()
  const many = Array.from({ length: EDITS_OF_FULL_OUTBOX }, (_, n) => aDraft(`n${String(n)}.example`))
  await runningOf(rig, full.id).bulk.create(many)
  for (const id of [hangs.id, rejected.id, working.id]) {
    for (let n = 0; n < 20; n++) await runningOf(rig, id).outbox.create(aDraft(`n${String(n)}.example`))
  }

  await expect.poll(() => works.stores[0]?.all().length, { timeout: 15_000 }).toBe(20)
  // Polls, because the answer to the last edit may still be on its way.
  await expect.poll(() => runningOf(rig, working.id).outbox.counts()).toMatchObject({ waiting: 0, parked: 0 })
  // The other account still has many edits to send.
  expect(busyHost.stores[0]?.all().length).toBeGreaterThan(0)
  expect(runningOf(rig, full.id).outbox.counts().waiting).toBeGreaterThan(EDITS_OF_FULL_OUTBOX / 2)
  expect(runningOf(rig, hangs.id).outbox.counts()).toMatchObject({ waiting: 20, parked: 0 })
  expect(runningOf(rig, rejected.id).outbox.counts()).toMatchObject({ waiting: 20, parked: 0 })
  await expect.poll(() => runningOf(rig, rejected.id).key.state()).toBe('refused')
  expect(runningOf(rig, damaged.id).salvaged()).toMatchObject({ why: 'damaged' })
  // Each service has only its own account's edits.
  expect(rejecting.stores[0]?.all()).toHaveLength(1)
  expect(damagedHost.stores[0]?.all()).toHaveLength(1)
})
