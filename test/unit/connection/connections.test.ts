import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createConnections, type Connections } from '../../../src/main/connection/connections.ts'
import { createConnectionKey } from '../../../src/main/connection/key.ts'
import { composeConnection } from '../../../src/main/compose-connection.ts'
import { createEmbeddedSample } from '../../../src/main/connection/sample.ts'
import { startSampleService } from '../../../src/main/sample/service.ts'
import { createKeychain, type Keytar } from '../../../src/main/secrets/keychain.ts'
import { createSealer } from '../../../src/main/secrets/sealer.ts'
import { Secret } from '../../../src/main/secrets/secret.ts'
import { createService } from '../../../src/main/service/client.ts'
import { createDispatcher } from '../../../src/main/service/dispatcher.ts'
import { openAppStore, type AppStore } from '../../../src/main/storage/app.ts'
import { fail } from '../../../src/shared/result.ts'
import { startHost, type Host } from './hosts.ts'

/** The keychain's own behaviour is tested with a real one (secrets/); here it only has to keep, or to refuse. */
function memoryKeytar() {
  const kept = new Map<string, string>()
  const at = { refuses: false, slow: Promise.resolve() }
  const orRefuse = async <T>(value: () => T): Promise<T> => {
    await at.slow
    if (at.refuses) throw new Error('no provider')
    return value()
  }
  const keytar: Keytar = {
    getPassword: (_service, name) => orRefuse(() => kept.get(name) ?? null),
    setPassword: (_service, name, text) => orRefuse(() => void kept.set(name, text)),
    deletePassword: (_service, name) => orRefuse(() => kept.delete(name)),
  }
  return { keytar, kept, at }
}

const dispatcher = createDispatcher()
afterAll(() => dispatcher.close())

let folder: string
let app: AppStore
let keys: ReturnType<typeof memoryKeytar>
let connections: Connections
const hosts: Host[] = []

const host = async (...accounts: Parameters<typeof startHost>): Promise<Host> => {
  const started = await startHost(...accounts)
  hosts.push(started)
  return started
}

function start(): Connections {
  const keychain = createKeychain({ load: async () => keys.keytar, service: 'test', records: app.keychainRecords })
  return createConnections({
    app,
    sample: createEmbeddedSample(() => startSampleService({ websites: 3, rate: 0 })),
    newId: randomUUID,
    service: (address, key) => createService({ address, key, dispatcher }),
    key: (connection) => createConnectionKey(keychain, connection, () => undefined),
    open: (record, key, service) =>
      composeConnection({
        record,
        key,
        service,
        file: join(folder, `${record.id}.sqlite`),
        sealer: createSealer(keychain, record.id),
        clock: {
          wall: () => Date.now(),
          monotonic: () => performance.now(),
          after(ms, call) {
            const timer = setTimeout(call, ms)
            return () => clearTimeout(timer)
          },
        },
        random: { id: randomUUID, fraction: Math.random },
      }),
    onActive: () => undefined,
    onKey: (connection) => void connection.refresh.run(),
  })
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'siteward-connections-'))
  const opened = openAppStore(join(folder, 'app.sqlite'))
  if (!opened.ok) throw new Error(opened.error.code)
  app = opened.value
  keys = memoryKeytar()
  connections = start()
})
afterEach(async () => {
  await connections.close()
  app.close()
  for (const each of hosts.splice(0)) await each.close()
  rmSync(folder, { recursive: true, force: true })
})

const connected = async (address: string, key: string) => {
  const result = await connections.connect(address, new Secret(key), 'keychain')
  if (!result.ok) throw new Error(result.error.code)
  return result.value
}
const draft = {
  domain: 'new.example',
  privacy: 1,
  email: false,
  exclude_bots: true,
  exclude_ips: [],
  exclude_params: [],
} as const

describe('connecting', () => {
  test('a refused key, a keychain that refuses: nothing is kept', async () => {
    const { address } = await host({ id: 1, key: 'a', websites: [] })
    expect(await connections.connect(address, new Secret('wrong'), 'keychain')).toMatchObject({
      ok: false,
      error: { code: 'unauthenticated' },
    })
    keys.at.refuses = true
    expect(await connections.connect(address, new Secret('a'), 'keychain')).toMatchObject({
      ok: false,
      error: { code: 'keychain-missing' },
    })
    expect(app.connections()).toEqual([])
    expect(connections.active()).toBeNull()
    expect(await connections.connect(address, new Secret('a'), 'run')).toMatchObject({
      ok: true,
      value: { key: 'run' },
    })
  })

  test('the same address and account is the same connection, whatever its key', async () => {
    const { address } = await host({ id: 1, key: 'a', websites: [] }, { id: 1, key: 'b', websites: [] })
    const first = await connected(address, 'a')
    await connections.disconnect()
    expect((await connected(`${address}/api/v1/`, 'b')).id).toBe(first.id)
  })

  test('another account at the same address is another connection, and sees none of the first one’s edits', async () => {
    const { address, stores } = await host({ id: 1, key: 'a', websites: [] }, { id: 2, key: 'b', websites: [] })
    const first = await connected(address, 'a')
    const [one, two] = stores
    await connections.disconnect()
    const second = await connected(address, 'b')
    expect(second.id).not.toBe(first.id)
    await connections.active()?.outbox.create({ ...draft, exclude_ips: [], exclude_params: [] })
    await expect.poll(() => two?.byDomain('new.example')).toBeTruthy()
    expect(one?.byDomain('new.example')).toBeUndefined()
  })

  test('a host that shows no account: the same connection only for a key that shows its websites', async () => {
    const { address } = await host(
      { id: null, key: 'a', websites: ['one.example'] },
      { id: null, key: 'a2', websites: ['one.example'] },
      { id: null, key: 'b', websites: ['two.example'] },
    )
    const first = await connected(address, 'a')
    await expect.poll(() => connections.active()?.view.total()).toBe(1)
    await connections.disconnect()
    expect((await connected(address, 'a2')).id).toBe(first.id)
    await connections.disconnect()
    expect((await connected(address, 'b')).id).not.toBe(first.id)
  })
})

describe('the key', () => {
  test('of another account is not taken as a replacement, and nothing that waits goes to that account', async () => {
    const { address, stores } = await host({ id: 1, key: 'a', websites: [] }, { id: 2, key: 'b', websites: [] })
    await connected(address, 'a')
    expect(await connections.replaceKey(new Secret('b'), 'keychain')).toMatchObject({
      ok: false,
      error: { code: 'other-account' },
    })
    await connections.active()?.outbox.create({ ...draft, exclude_ips: [], exclude_params: [] })
    await expect.poll(() => stores[0]?.byDomain('new.example')).toBeTruthy()
    expect(stores[1]?.all()).toEqual([])
  })

  test('is asked of the keychain at the next start, and forgotten with a disconnect', async () => {
    const { address } = await host({ id: 1, key: 'a', websites: ['one.example'] })
    const { id } = await connected(address, 'a')
    await connections.close()
    connections = start()
    expect(await connections.restore()).toEqual({ ok: true })
    await expect.poll(() => connections.view()).toMatchObject({ id, key: 'stored' })
    expect(await connections.disconnect()).toEqual({ ok: true, value: { keyLeft: false } })
    expect(keys.kept.size).toBe(0)
    expect(connections.view()).toBeNull()
  })

  test('typed for this run while the keychain is slow is not overwritten by what the keychain then says', async () => {
    const { address } = await host({ id: 1, key: 'a', websites: [] }, { id: 1, key: 'b', websites: [] })
    await connected(address, 'a')
    await connections.close()
    let answer: () => void = () => undefined
    keys.at.slow = new Promise((resolve) => (answer = resolve))
    connections = start()
    await connections.restore()
    expect(connections.view()).toMatchObject({ key: 'loading' })
    expect(await connections.replaceKey(new Secret('b'), 'run')).toMatchObject({ ok: true, value: { key: 'run' } })
    answer()
    await keys.at.slow
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(connections.active()?.key.current()?.reveal()).toBe('b')
    expect(connections.view()).toMatchObject({ key: 'run' })
  })

  test('can be left behind in a locked keychain, is never used again, and goes as soon as that is possible', async () => {
    const { address } = await host({ id: 1, key: 'a', websites: [] })
    await connected(address, 'a')
    keys.at.refuses = true
    expect(await connections.disconnect()).toEqual({ ok: true, value: { keyLeft: true } })
    expect(connections.view()).toBeNull()
    expect(keys.kept.size).toBe(1)
    keys.at.refuses = false
    const key = createConnectionKey(
      createKeychain({ load: async () => keys.keytar, service: 'test', records: app.keychainRecords }),
      app.connections()[0]?.id ?? '',
      () => undefined,
    )
    await key.load()
    expect(key.current()).toBeNull()
    await connections.close()
    connections = start()
    connections.sweep()
    await expect.poll(() => keys.kept.size).toBe(0)
  })

  test('of a connect that was cancelled is not kept', async () => {
    const { address } = await host({ id: 1, key: 'a', websites: [] })
    const connecting = connections.connect(address, new Secret('a'), 'keychain')
    connections.cancelConnect()
    expect(await connecting).toMatchObject({ ok: false, error: { code: 'no-connection' } })
    expect(keys.kept.size).toBe(0)
    expect(connections.active()).toBeNull()
  })

  test('for this run stays one for this run when the service refuses it and takes it again', () => {
    const keychain = createKeychain({ load: async () => keys.keytar, service: 'test', records: app.keychainRecords })
    app.keychainRecords.set('c:api-key', true)
    const key = createConnectionKey(keychain, 'c', () => undefined)
    void key.replace(new Secret('a'), 'run')
    key.heard(fail('unauthenticated').error)
    expect(key.state()).toBe('refused')
    key.heard(null)
    expect(key.state()).toBe('run')
  })

  test('a keychain that refuses at start leaves the websites readable and the key marked as locked', async () => {
    const { address } = await host({ id: 1, key: 'a', websites: ['one.example'] })
    await connected(address, 'a')
    await expect.poll(() => connections.active()?.view.total()).toBe(1)
    await connections.close()
    keys.at.refuses = true
    connections = start()
    expect(await connections.restore()).toEqual({ ok: true })
    await expect.poll(() => connections.view()).toMatchObject({ key: 'locked' })
    expect(connections.active()?.view.total()).toBe(1)
    keys.at.refuses = false
    expect(await connections.retryKeychain()).toEqual({ ok: true })
    expect(connections.view()).toMatchObject({ key: 'stored' })
  })
})

describe('one thing after another', () => {
  test('two connects at once to a new service make one connection', async () => {
    const { address } = await host({ id: 1, key: 'a', websites: [] })
    const both = await Promise.all([
      connections.connect(address, new Secret('a'), 'keychain'),
      connections.connect(address, new Secret('a'), 'keychain'),
    ])
    expect(both.filter((each) => each.ok)).toHaveLength(1)
    expect(app.connections()).toHaveLength(1)
    expect(connections.active()?.record.id).toBe(app.activeConnection()?.id)
  })

  test('disconnect with an edit on its way, and connect again at once: the edit is not lost, and the file is free', async () => {
    const { address, stores } = await host({ id: 1, key: 'a', websites: [] })
    await connected(address, 'a')
    await connections.active()?.outbox.create({ ...draft, exclude_ips: [], exclude_params: [] })
    const left = connections.disconnect()
    const back = connections.connect(address, new Secret('a'), 'keychain')
    expect(await left).toMatchObject({ ok: true })
    expect(await back).toMatchObject({ ok: true })
    await expect.poll(() => stores[0]?.all().map(({ domain }) => domain)).toEqual(['new.example'])
    await expect.poll(() => connections.active()?.outbox.counts()).toEqual({ waiting: 0, parked: 0 })
  })

  test('disconnect while a key is being replaced: the key is not put into what was left', async () => {
    const { address } = await host({ id: 1, key: 'a', websites: [] }, { id: 1, key: 'b', websites: [] })
    await connected(address, 'a')
    const replaced = connections.replaceKey(new Secret('b'), 'keychain')
    const left = connections.disconnect()
    expect(await left).toMatchObject({ ok: true })
    expect(await replaced).toMatchObject({ ok: false, error: { code: 'no-connection' } })
    expect(keys.kept.size).toBe(0)
  })

  test('closing twice, and in the middle of a connect, ends', async () => {
    const { address } = await host({ id: 1, key: 'a', websites: [] })
    const connecting = connections.connect(address, new Secret('a'), 'keychain')
    await Promise.all([connections.close(), connections.close()])
    await connecting
    expect(connections.active()).toBeNull()
  })
})

describe('an error leaves all as it was', () => {
  test('the keychain refuses while another connection is active', async () => {
    const one = await host({ id: null, key: 'a', websites: ['one.example'] })
    const two = await host({ id: 2, key: 'b', websites: [] })
    await connected(one.address, 'a')
    await expect.poll(() => connections.active()?.view.total()).toBe(1)
    const second = await connected(two.address, 'b')
    keys.at.refuses = true
    expect(await connections.connect(one.address, new Secret('a'), 'keychain')).toMatchObject({ ok: false })
    expect(connections.view()).toMatchObject({ id: second.id, key: 'stored' })
    expect(app.activeConnection()?.id).toBe(second.id)
  })

  test('the file of the other connection is damaged: it is told, and the active one goes on', async () => {
    const one = await host({ id: 1, key: 'a', websites: [] })
    const two = await host({ id: 2, key: 'b', websites: [] })
    const first = await connected(one.address, 'a')
    const second = await connected(two.address, 'b')
    rmSync(join(folder, `${first.id}.sqlite-wal`), { force: true })
    writeFileSync(
      join(folder, `${first.id}.sqlite`),
      'this is no database, and it is long enough to be read as one'.repeat(100),
    )
    expect(await connections.connect(one.address, new Secret('a'), 'keychain')).toMatchObject({
      ok: false,
      error: { code: 'storage' },
    })
    expect(connections.view()).toMatchObject({ id: second.id })
    expect(app.activeConnection()?.id).toBe(second.id)
  })

  test('the last connection can’t be opened at start: the app says why, and nothing is changed', async () => {
    const { address } = await host({ id: 1, key: 'a', websites: [] })
    const { id } = await connected(address, 'a')
    await connections.close()
    rmSync(join(folder, `${id}.sqlite-wal`), { force: true })
    writeFileSync(join(folder, `${id}.sqlite`), 'no database at all'.repeat(300))
    connections = start()
    expect(await connections.restore()).toMatchObject({ ok: false, error: { code: 'storage' } })
    expect(connections.problem()).toMatchObject({ code: 'storage' })
    expect(app.activeConnection()?.id).toBe(id)
  })
})

describe('a host that shows no account', () => {
  const account = (key: string, ...websites: string[]) => ({ id: null, key, websites })

  test('edits wait and no website is known: another key is not taken for the same account by guessing', async () => {
    const { address, stores } = await host(account('a'), account('b'))
    await connected(address, 'a')
    await connections.active()?.outbox.stop()
    await connections.active()?.outbox.create({ ...draft, exclude_ips: [], exclude_params: [] })
    expect(await connections.replaceKey(new Secret('b'), 'run')).toMatchObject({ error: { code: 'other-account' } })
    expect(stores[1]?.all()).toEqual([])
  })

  test('websites waiting to be created are the newest, and do not hide the known ones', async () => {
    const { address } = await host(account('a', 'one.example'), account('a2', 'one.example'))
    await connected(address, 'a')
    await expect.poll(() => connections.active()?.view.total()).toBe(1)
    await connections.active()?.outbox.stop()
    for (let n = 0; n < 12; n++) {
      const domain = `new-${String(n)}.example`
      await connections.active()?.outbox.create({ ...draft, domain, exclude_ips: [], exclude_params: [] })
    }
    expect(await connections.replaceKey(new Secret('a2'), 'run')).toMatchObject({ ok: true })
  })
})

test('sample data: the same connection at each start, without a key in the keychain', async () => {
  const first = await connections.trySample()
  expect(first).toMatchObject({ ok: true, value: { sample: true, name: 'Northwind Agency', key: 'run' } })
  await expect.poll(() => connections.active()?.view.total()).toBe(3)
  await connections.close()
  connections = start()
  await connections.restore()
  expect(connections.view()).toMatchObject({ sample: true, key: 'run', id: first.ok ? first.value.id : '' })
  expect(keys.kept.size).toBe(0)
})
