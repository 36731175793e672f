import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { Secret } from '../../../src/main/secrets/secret.ts'
import { aDraft, useRig } from './rig.ts'

const current = useRig()

describe('requests at the same time', () => {
  test('of two connects to a new service, one succeeds and adds the connection, and the other fails', async () => {
    const rig = current()
    const { address } = await rig.host({ id: 1, key: 'a', websites: [] })
    const both = await Promise.all([
      rig.connections.connect(address, new Secret('a'), 'keychain'),
      rig.connections.connect(address, new Secret('a'), 'keychain'),
    ])
    expect(both.filter((each) => each.ok)).toHaveLength(1)
    expect(rig.app.connections()).toHaveLength(1)
    expect(rig.connections.active()?.record.id).toBe(rig.app.activeConnection()?.id)
  })

  describe('a connect that waits for the service to answer about a known website', () => {
    /** Adds two accounts, and starts to connect a third one. */
    async function connecting({ forgetsKey = false } = {}) {
      const rig = current()
      const answered = Promise.withResolvers<void>()
      const host = await rig.host(
        { id: null, key: 'a', websites: ['one.example'] },
        { id: null, key: 'b', websites: [] },
        { id: null, key: 'c', websites: [], websiteAfter: answered.promise },
      )
      const first = await rig.connected(host.address, 'a')
      await expect.poll(() => rig.connections.active()?.view.total()).toBe(1)
      const second = await rig.connected(host.address, 'b')
      if (forgetsKey) await rig.connections.active()?.key.forget()
      const asked = () => host.requests.filter((request) => request === 'c GET /api/v1/websites/1').length
      const connected = rig.connections.connect(host.address, new Secret('c'), 'keychain')
      await expect.poll(asked).toBe(1)
      return { rig, first, second, connected, answer: answered.resolve }
    }

    test('does not delay a switch to another account, and fails once the user has switched', async () => {
      const { rig, first, second, connected, answer } = await connecting()
      expect(await rig.connections.switchTo(first.id)).toMatchObject({ ok: true })
      expect(await rig.connections.list()).toMatchObject({ ok: true, value: [{ active: true }, { active: false }] })
      answer()
      expect(await connected).toMatchObject({ ok: false, error: { code: 'no-connection' } })
      expect(rig.connections.view()).toMatchObject({ id: first.id })
      expect(rig.connections.all().map(({ key }) => key.current()?.reveal())).toEqual(['a', 'b'])
      expect(rig.app.connections().map(({ id }) => id)).toEqual([first.id, second.id])
    })

    test('does not reuse an empty account for which an edit was queued in the meantime', async () => {
      const { rig, second, connected, answer } = await connecting({ forgetsKey: true })
      await rig.connections.active()?.outbox.stop()
      await rig.connections.active()?.outbox.create(aDraft())
      answer()
      expect(await connected).toMatchObject({ ok: false, error: { code: 'account-unclear' } })
      expect(rig.connections.view()).toMatchObject({ id: second.id })
      expect(rig.connections.active()?.key.current()).toBeNull()
    })
  })

  test('a disconnect while an edit is sent and a connect right after it lose no edit', async () => {
    const rig = current()
    const { address, stores } = await rig.host({ id: 1, key: 'a', websites: [] })
    await rig.connected(address, 'a')
    await rig.connections.active()?.outbox.create(aDraft())
    const left = rig.connections.disconnect()
    const back = rig.connections.connect(address, new Secret('a'), 'keychain')
    expect(await left).toMatchObject({ ok: true })
    expect(await back).toMatchObject({ ok: true })
    await expect.poll(() => stores[0]?.all().map(({ domain }) => domain)).toEqual(['new.example'])
    await expect.poll(() => rig.connections.active()?.outbox.counts()).toMatchObject({ waiting: 0, parked: 0 })
  })

  test('a disconnect while a key is being replaced does not store the new key', async () => {
    const rig = current()
    const { address } = await rig.host({ id: 1, key: 'a', websites: [] }, { id: 1, key: 'b', websites: [] })
    await rig.connected(address, 'a')
    const replaced = rig.connections.replaceKey(new Secret('b'), 'keychain')
    const left = rig.connections.disconnect()
    expect(await left).toMatchObject({ ok: true })
    expect(await replaced).toMatchObject({ ok: false, error: { code: 'no-connection' } })
    expect(rig.keys.stored.size).toBe(0)
  })

  test('closing twice, and during a connect, completes', async () => {
    const rig = current()
    const { address } = await rig.host({ id: 1, key: 'a', websites: [] })
    const connecting = rig.connections.connect(address, new Secret('a'), 'keychain')
    await Promise.all([rig.connections.close(), rig.connections.close()])
    await connecting
    expect(rig.connections.active()).toBeNull()
  })
})

describe('an error changes nothing:', () => {
  test('a keychain that refuses while another connection is active', async () => {
    const rig = current()
    const one = await rig.host({ id: null, key: 'a', websites: ['one.example'] })
    const two = await rig.host({ id: 2, key: 'b', websites: [] })
    await rig.connected(one.address, 'a')
    await expect.poll(() => rig.connections.active()?.view.total()).toBe(1)
    const second = await rig.connected(two.address, 'b')
    rig.keys.at.refuses = true
    expect(await rig.connections.connect(one.address, new Secret('a'), 'keychain')).toMatchObject({ ok: false })
    expect(rig.connections.view()).toMatchObject({ id: second.id, key: 'stored' })
    expect(rig.app.activeConnection()?.id).toBe(second.id)
  })

  test('an unreadable file of the other connection', async () => {
    const rig = current()
    const one = await rig.host({ id: 1, key: 'a', websites: [] })
    const two = await rig.host({ id: 2, key: 'b', websites: [] })
    const first = await rig.connected(one.address, 'a')
    const second = await rig.connected(two.address, 'b')
    await rig.connections.close()
    rmSync(join(rig.folder, `${first.id}.db`))
    mkdirSync(join(rig.folder, `${first.id}.db`))
    rig.connections = rig.start()
    await rig.connections.restore()
    expect(await rig.connections.connect(one.address, new Secret('a'), 'keychain')).toMatchObject({
      ok: false,
      error: { code: 'storage' },
    })
    expect(rig.connections.view()).toMatchObject({ id: second.id })
    expect(rig.app.activeConnection()?.id).toBe(second.id)
  })

  test('an unreadable file of the active connection at the start, which is reported', async () => {
    const rig = current()
    const { address } = await rig.host({ id: 1, key: 'a', websites: [] })
    const { id } = await rig.connected(address, 'a')
    await rig.connections.close()
    rmSync(join(rig.folder, `${id}.db`))
    mkdirSync(join(rig.folder, `${id}.db`))
    rig.connections = rig.start()
    expect(await rig.connections.restore()).toMatchObject({ ok: false, error: { code: 'storage' } })
    expect(rig.connections.problem()).toMatchObject({ code: 'storage' })
    expect(rig.app.activeConnection()?.id).toBe(id)
  })
})

async function closedWithEdit() {
  const rig = current()
  const { address, stores } = await rig.host({ id: 1, key: 'a', websites: ['one.example'] })
  const { id } = await rig.connected(address, 'a')
  await expect.poll(() => rig.connections.active()?.view.total()).toBe(1)
  await rig.connections.active()?.outbox.stop()
  await rig.connections.active()?.outbox.create(aDraft())
  await rig.connections.close()
  return { file: join(rig.folder, `${id}.db`), stores }
}

describe('the file of a connection', () => {
  test('that is damaged is quarantined at the start, and the damage is reported until the user has dismissed the report', async () => {
    const rig = current()
    const { file, stores } = await closedWithEdit()
    const damaged = readFileSync(file)
    // Damages a whole page, because its last bytes alone may be unused.
    damaged.fill(0xff, damaged.length - 4096)
    writeFileSync(file, damaged)
    rig.connections = rig.start()
    expect(await rig.connections.restore()).toMatchObject({ ok: true })
    const active = rig.connections.active()
    expect(active?.salvaged()).toMatchObject({ websites: 1, edits: 1 })
    expect(readFileSync(active?.salvaged()?.quarantined ?? '').equals(damaged)).toBe(true)
    // Edits that could still be read are sent.
    await expect.poll(() => stores[0]?.byDomain('new.example')).toBeTruthy()
    expect(active?.dismissSalvage()).toMatchObject({ ok: true })
    expect(active?.salvaged()).toBeNull()
  })

  test('that is missing is reported, and the connection opens without edits', async () => {
    const rig = current()
    const { address } = await rig.host({ id: 1, key: 'a', websites: [] })
    const { id } = await rig.connected(address, 'a')
    await rig.connections.close()
    rmSync(join(rig.folder, `${id}.db`))
    rig.connections = rig.start()
    expect(await rig.connections.restore()).toMatchObject({ ok: true })
    expect(rig.connections.active()?.salvaged()).toMatchObject({ edits: 0, backupAt: null })
  })
})

describe('a file of a newer version', () => {
  test('is shown, but neither changed nor sent', async () => {
    const rig = current()
    const { file, stores } = await closedWithEdit()
    const db = new Database(file)
    db.pragma('user_version = 99')
    db.close()
    const before = readFileSync(file)
    rig.connections = rig.start()
    expect(await rig.connections.restore()).toMatchObject({ ok: true })
    const active = rig.connections.active()
    await expect.poll(() => rig.connections.view()).toMatchObject({ key: 'stored' })
    expect(active?.readOnly).toBe(true)
    expect(active?.view.total()).toBe(2)
    expect(await active?.outbox.create(aDraft('another.example'))).toMatchObject({ error: { code: 'newer-version' } })
    expect(active?.outbox.sendNow()).toBeDefined()
    await active?.refresh.run()
    expect(stores[0]?.requests().filter(({ method }) => method !== 'GET')).toEqual([])
    expect(await active?.outbox.exportQueue()).toMatchObject({ ok: true, value: { edits: 1 } })
    await rig.connections.close()
    expect(readFileSync(file).equals(before)).toBe(true)
  })
})

describe('a connection to a host that shows no account', () => {
  const account = (key: string, ...websites: string[]) => ({ id: null, key, websites })

  test('that has edits but no known website does not accept another key without an answer of the user', async () => {
    const rig = current()
    const { address, stores } = await rig.host(account('a'), account('b'))
    await rig.connected(address, 'a')
    await rig.connections.active()?.outbox.stop()
    await rig.connections.active()?.outbox.create(aDraft())
    expect(await rig.connections.replaceKey(new Secret('b'), 'run')).toMatchObject({
      error: { code: 'account-unclear' },
    })
    expect(stores[1]?.all()).toEqual([])
  })

  test('accepts a key that shows a known website, even if many pending websites are newer', async () => {
    const rig = current()
    const { address } = await rig.host(account('a', 'one.example'), account('a2', 'one.example'))
    await rig.connected(address, 'a')
    await expect.poll(() => rig.connections.active()?.view.total()).toBe(1)
    await rig.connections.active()?.outbox.stop()
    for (let n = 0; n < 12; n++) {
      const domain = `new-${String(n)}.example`
      await rig.connections.active()?.outbox.create(aDraft(domain))
    }
    expect(await rig.connections.replaceKey(new Secret('a2'), 'run')).toMatchObject({ ok: true })
  })
})
