import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Secret } from '../../../src/main/secrets/secret.ts'
import { fail } from '../../../src/shared/result.ts'
import { aDraft, useRig } from './rig.ts'

const current = useRig()

describe('connecting', () => {
  test('stores nothing if the service rejects the key or the keychain refuses it', async () => {
    const rig = current()
    const { address } = await rig.host({ id: 1, key: 'a', websites: [] })
    expect(await rig.connections.connect(address, new Secret('wrong'), 'keychain')).toMatchObject({
      ok: false,
      error: { code: 'unauthenticated' },
    })
    rig.keys.at.refuses = true
    expect(await rig.connections.connect(address, new Secret('a'), 'keychain')).toMatchObject({
      ok: false,
      error: { code: 'keychain-missing' },
    })
    expect(rig.app.connections()).toEqual([])
    expect(readdirSync(rig.folder).filter((file) => !file.startsWith('app.'))).toEqual([])
    expect(rig.connections.active()).toBeNull()
    expect(await rig.connections.connect(address, new Secret('a'), 'run')).toMatchObject({
      ok: true,
      value: { key: 'run' },
    })
  })

  test('checks that the service answers at an address, even on a host that shows no account', async () => {
    const rig = current()
    const { address } = await rig.host({ id: null, key: 'a', websites: [] })
    expect(await rig.connections.ping(`${address}/api/v1/`)).toEqual({ ok: true, value: undefined })
    expect(await rig.connections.ping('no address')).toMatchObject({ error: { code: 'bad-address' } })
    expect(rig.app.connections()).toEqual([])
  })

  test('reopens the saved connection of the same address and account, with any key', async () => {
    const rig = current()
    const { address } = await rig.host({ id: 1, key: 'a', websites: [] }, { id: 1, key: 'b', websites: [] })
    const first = await rig.connected(address, 'a')
    await rig.connections.disconnect()
    expect((await rig.connected(`${address}/api/v1/`, 'b')).id).toBe(first.id)
  })

  test('adds another connection for another account at the same address, with edits of its own', async () => {
    const rig = current()
    const { address, stores } = await rig.host({ id: 1, key: 'a', websites: [] }, { id: 2, key: 'b', websites: [] })
    const first = await rig.connected(address, 'a')
    const [one, two] = stores
    await rig.connections.disconnect()
    const second = await rig.connected(address, 'b')
    expect(second.id).not.toBe(first.id)
    await rig.connections.active()?.outbox.create(aDraft())
    await expect.poll(() => two?.byDomain('new.example')).toBeTruthy()
    expect(one?.byDomain('new.example')).toBeUndefined()
  })

  test('on a host that shows no account, another key reopens the saved connection only if it shows the same websites', async () => {
    const rig = current()
    const { address } = await rig.host(
      { id: null, key: 'a', websites: ['one.example'] },
      { id: null, key: 'a2', websites: ['one.example'] },
      { id: null, key: 'b', websites: ['two.example'] },
    )
    const first = await rig.connected(address, 'a')
    await expect.poll(() => rig.connections.active()?.view.total()).toBe(1)
    await rig.connections.disconnect()
    expect((await rig.connected(address, 'a2')).id).toBe(first.id)
    await rig.connections.disconnect()
    expect((await rig.connected(address, 'b')).id).not.toBe(first.id)
  })
})

describe('the key', () => {
  test('of another account is refused, and no pending edit is sent to that account', async () => {
    const rig = current()
    const { address, stores } = await rig.host({ id: 1, key: 'a', websites: [] }, { id: 2, key: 'b', websites: [] })
    await rig.connected(address, 'a')
    expect(await rig.connections.replaceKey(new Secret('b'), 'keychain')).toMatchObject({
      ok: false,
      error: { code: 'other-account' },
    })
    await rig.connections.active()?.outbox.create(aDraft())
    await expect.poll(() => stores[0]?.byDomain('new.example')).toBeTruthy()
    expect(stores[1]?.all()).toEqual([])
  })

  test('that was entered last stays, even if the service accepts an earlier one afterwards', async () => {
    const rig = current()
    let answer: () => void = () => undefined
    const after = new Promise<void>((resolve) => (answer = resolve))
    const { address } = await rig.host(
      { id: 1, key: 'a', websites: [] },
      { id: 1, key: 'b', websites: [], after },
      { id: 1, key: 'c', websites: [] },
    )
    await rig.connected(address, 'a')
    const first = rig.connections.replaceKey(new Secret('b'), 'keychain')
    expect(await rig.connections.replaceKey(new Secret('c'), 'keychain')).toMatchObject({ ok: true })
    answer()
    expect(await first).toMatchObject({ ok: true })
    expect(rig.connections.active()?.key.current()?.reveal()).toBe('c')
    expect([...rig.keys.stored.values()]).toEqual(['c'])
  })

  test('is loaded from the keychain at the next start, and forgotten on disconnect', async () => {
    const rig = current()
    const { address } = await rig.host({ id: 1, key: 'a', websites: ['one.example'] })
    const { id } = await rig.connected(address, 'a')
    await rig.connections.close()
    rig.connections = rig.start()
    expect(await rig.connections.restore()).toEqual({ ok: true })
    await expect.poll(() => rig.connections.view()).toMatchObject({ id, key: 'stored' })
    expect(await rig.connections.disconnect()).toEqual({ ok: true, value: { keyLeft: false } })
    expect(rig.keys.stored.size).toBe(0)
    expect(rig.connections.view()).toBeNull()
  })

  test('that is entered while the keychain is slow is not replaced by the stored one', async () => {
    const rig = current()
    const { address } = await rig.host({ id: 1, key: 'a', websites: [] }, { id: 1, key: 'b', websites: [] })
    await rig.connected(address, 'a')
    await rig.connections.close()
    let answer: () => void = () => undefined
    rig.keys.at.slow = new Promise((resolve) => (answer = resolve))
    rig.connections = rig.start()
    await rig.connections.restore()
    expect(rig.connections.view()).toMatchObject({ key: 'loading' })
    expect(await rig.connections.replaceKey(new Secret('b'), 'run')).toMatchObject({ ok: true, value: { key: 'run' } })
    answer()
    await rig.keys.at.slow
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(rig.connections.active()?.key.current()?.reveal()).toBe('b')
    expect(rig.connections.view()).toMatchObject({ key: 'run' })
  })

  test('that stays in a locked keychain after a disconnect is never used again, and deleted once that is possible', async () => {
    const rig = current()
    const { address } = await rig.host({ id: 1, key: 'a', websites: [] })
    await rig.connected(address, 'a')
    rig.keys.at.refuses = true
    expect(await rig.connections.disconnect()).toEqual({ ok: true, value: { keyLeft: true } })
    expect(rig.connections.view()).toBeNull()
    expect(rig.keys.stored.size).toBe(1)
    rig.keys.at.refuses = false
    const key = rig.key(rig.app.connections()[0]?.id ?? '')
    await key.load()
    expect(key.current()).toBeNull()
    await rig.connections.close()
    rig.connections = rig.start()
    rig.connections.sweep()
    await expect.poll(() => rig.keys.stored.size).toBe(0)
  })

  test('that the keychain stores only after the connect has failed is deleted once that is possible', async () => {
    const rig = current()
    const { address } = await rig.host({ id: 1, key: 'a', websites: [] })
    rig.keychainLimit = 50
    rig.connections = rig.start()
    let answer = (): void => undefined
    rig.keys.at.slow = new Promise((resolve) => (answer = resolve))
    expect(await rig.connections.connect(address, new Secret('a'), 'keychain')).toMatchObject({
      ok: false,
      error: { code: 'keychain-timeout' },
    })
    answer()
    await expect.poll(() => rig.keys.stored.size).toBe(1)
    rig.connections.sweep()
    await expect.poll(() => rig.keys.stored.size).toBe(0)
    expect(rig.app.keychainRecords.endingWith(':api-key')).toEqual([])
  })

  test('of a canceled connect is not stored', async () => {
    const rig = current()
    const { address } = await rig.host({ id: 1, key: 'a', websites: [] })
    const connecting = rig.connections.connect(address, new Secret('a'), 'keychain')
    rig.connections.cancelConnect()
    expect(await connecting).toMatchObject({ ok: false, error: { code: 'no-connection' } })
    expect(rig.keys.stored.size).toBe(0)
    expect(rig.connections.active()).toBeNull()
  })

  test('of a connect that is canceled while the service does not answer is not stored, and the connect ends at once', async () => {
    const rig = current()
    const silent = createServer(() => undefined).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    onTestFinished(() => {
      silent.closeAllConnections()
      silent.close()
    })
    const address = `http://127.0.0.1:${String((silent.address() as AddressInfo).port)}`
    const connecting = rig.connections.connect(address, new Secret('a'), 'keychain')
    await once(silent, 'request')
    rig.connections.cancelConnect()
    expect(await connecting).toMatchObject({ ok: false, error: { code: 'no-connection' } })
    expect(rig.keys.stored.size).toBe(0)
  })

  test('of a connect that is canceled while its account is looked for is not sent again', async () => {
    const rig = current()
    const answer = Promise.withResolvers<undefined>()
    const { address, requests } = await rig.host(
      { id: null, key: 'a', websites: ['one.example', 'two.example'] },
      { id: null, key: 'b', websites: [], websiteAfter: answer.promise },
    )
    await rig.connected(address, 'a')
    await expect.poll(() => rig.connections.active()?.view.total()).toBe(2)
    const connecting = rig.connections.connect(address, new Secret('b'), 'keychain')
    const reads = () => requests.filter((request) => request.startsWith('b GET /api/v1/websites/'))
    await expect.poll(reads).toHaveLength(1)
    rig.connections.cancelConnect()
    expect(await connecting).toMatchObject({ ok: false, error: { code: 'no-connection' } })
    answer.resolve(undefined)
    await new Promise((resolve) => void setTimeout(resolve, 100))
    expect(reads()).toHaveLength(1)
  })

  test('that is kept only for this run still counts as such when the service accepts it after a rejection', () => {
    const rig = current()
    rig.app.keychainRecords.set('c:api-key', true)
    const key = rig.key('c')
    void key.replace(new Secret('a'), 'run')
    key.recordAnswer(fail('unauthenticated').error)
    expect(key.state()).toBe('refused')
    key.recordAnswer(null)
    expect(key.state()).toBe('run')
  })

  test('is shown as locked if the keychain refuses at start, and the websites stay readable', async () => {
    const rig = current()
    const { address } = await rig.host({ id: 1, key: 'a', websites: ['one.example'] })
    await rig.connected(address, 'a')
    await expect.poll(() => rig.connections.active()?.view.total()).toBe(1)
    await rig.connections.close()
    rig.keys.at.refuses = true
    rig.connections = rig.start()
    expect(await rig.connections.restore()).toEqual({ ok: true })
    await expect.poll(() => rig.connections.view()).toMatchObject({ key: 'locked' })
    expect(rig.connections.active()?.view.total()).toBe(1)
    rig.keys.at.refuses = false
    expect(await rig.connections.retryKeychain()).toEqual({ ok: true })
    expect(rig.connections.view()).toMatchObject({ key: 'stored' })
  })
})

test('uses the same connection for the sample data at each start, without a key in the keychain', async () => {
  const rig = current()
  const first = await rig.connections.trySample()
  expect(first).toMatchObject({ ok: true, value: { sample: true, name: 'Northwind Agency', key: 'run' } })
  await expect.poll(() => rig.connections.active()?.view.total()).toBe(3)
  await rig.connections.close()
  rig.connections = rig.start()
  await rig.connections.restore()
  expect(rig.connections.view()).toMatchObject({ sample: true, key: 'run', id: first.ok ? first.value.id : '' })
  expect(rig.keys.stored.size).toBe(0)
})
