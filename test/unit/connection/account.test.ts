import { describe, expect, onTestFinished, test } from 'vitest'
import { defaultName } from '../../../src/main/connection/default-name.ts'
import { Secret } from '../../../src/main/secrets/secret.ts'
import { must } from '../outbox/rig.ts'
import { aDraft, useRig } from './rig.ts'
import { unstartedConnection } from './wired.ts'

const current = useRig()

const nameless = (key: string, ...websites: string[]) => ({ id: null, key, websites })
const account = (id: number, key: string, ...websites: string[]) => ({ id, key, websites })
const connection = () => current().connections

async function expectWebsites(count: number): Promise<void> {
  await expect.poll(() => connection().active()?.view.total()).toBe(count)
}

/** Queues an edit, which is sent only after the next start. */
async function waiting(domain = 'new.example'): Promise<void> {
  await connection().active()?.outbox.stop()
  expect(await connection().active()?.outbox.create(aDraft(domain))).toMatchObject({ ok: true })
}

const code = (expected: string) => ({ ok: false, error: { code: expected } })

test.each([undefined, '', ' '])('an account whose name is %j on the service is named after its host', (name) => {
  expect(defaultName({ id: '1', ...(name !== undefined && { name }), extra: {} }, 'https://stats.example:8443')).toBe(
    'stats.example:8443',
  )
})

test('a file with new websites is imported into another connection of the same account, even if both were added before the service showed the account', async () => {
  const [from, into] = [await addedWithoutAccount(), await addedWithoutAccount()]
  must(await from.outbox.create(aDraft()))
  const { text } = must(await from.outbox.exportQueue())
  const fromElsewhere = text.replace('"connection":{"id":"c"', '"connection":{"id":"elsewhere"')
  expect(await into.outbox.importQueue(fromElsewhere)).toMatchObject({ ok: true, value: { added: 1, refused: [] } })
})

/** Returns a connection that was added without knowing its account, and has read the account since. */
async function addedWithoutAccount() {
  const connection = await unstartedConnection(true, undefined, null)
  onTestFinished(() => connection.close())
  must(await connection.refresh.run())
  return connection
}

/** Adds the account of the key “a”. Its host has two accounts, but shows them only after the account was added. */
async function addedBeforeShown() {
  const host = await current().host(account(1, 'a'), account(2, 'b'))
  host.hideAccount = true
  const { id } = await current().connected(host.address, 'a')
  host.hideAccount = false
  await connection().active()?.refresh.run()
  expect(connection().active()?.view.account()).not.toBeNull()
  return { host, id }
}

test('the tags of an account that the service showed only after it was added can be kept when the account is removed', async () => {
  const { host, id } = await addedBeforeShown()
  connection().active()?.tags.save({ name: 'Later', colour: 'red', was: null })
  expect(await connection().list()).toMatchObject({ value: [{ localData: 'keepable' }] })
  await connection().remove(id, 0, true)
  await current().connected(host.address, 'a')
  expect(connection().active()?.tags.list()).toMatchObject({ value: { tags: [{ name: 'Later' }] } })
})

describe('a new key', () => {
  test('of the same account sends what was queued while the old key was rejected', async () => {
    const rig = current()
    const { address, stores } = await rig.host(account(1, 'a', 'one.example'), account(1, 'b'))
    await rig.connected(address, 'a')
    await expectWebsites(1)
    await rig.connections.close()
    rig.connections = rig.start()
    rig.keys.stored.forEach((_, name) => rig.keys.stored.set(name, 'revoked'))
    await rig.connections.restore()
    await expect.poll(() => rig.connections.view()).toMatchObject({ key: 'refused' })
    await rig.connections.active()?.outbox.create(aDraft())
    expect(rig.connections.active()?.outbox.counts()).toMatchObject({ waiting: 1, parked: 0 })
    expect(rig.connections.active()?.reach.gate()).toMatchObject({ open: false, reason: 'key' })
    expect(await rig.connections.replaceKey(new Secret('b'), 'keychain')).toMatchObject({ ok: true })
    await expect.poll(() => stores[1]?.byDomain('new.example')).toBeTruthy()
    expect(stores[0]?.byDomain('new.example')).toBeUndefined()
  })

  test('that shows none of the known websites is used only if the user confirms the account', async () => {
    const { address, stores } = await current().host(nameless('a', 'one.example'), nameless('b'))
    await current().connected(address, 'a')
    await expectWebsites(1)
    await waiting()
    expect(await connection().replaceKey(new Secret('b'), 'run')).toMatchObject(code('account-unclear'))
    expect(await connection().replaceKey(new Secret('b'), 'run', false)).toMatchObject(code('account-unclear'))
    expect(connection().active()?.key.current()?.reveal()).toBe('a')
    expect(stores[1]?.all()).toEqual([])
    expect(await connection().replaceKey(new Secret('b'), 'run', true)).toMatchObject({ ok: true })
    expect(connection().active()?.key.current()?.reveal()).toBe('b')
  })

  test('that shows a known id with another domain is refused, even if the user confirms the account', async () => {
    const { address } = await current().host(nameless('a', 'one.example'), nameless('b', 'two.example'))
    await current().connected(address, 'a')
    await expectWebsites(1)
    expect(await connection().replaceKey(new Secret('b'), 'run', true)).toMatchObject(code('other-account'))
  })

  test('of another known account is refused, even if the user confirms the account', async () => {
    const { address } = await current().host(account(1, 'a'), account(2, 'b'))
    await current().connected(address, 'a')
    await waiting()
    expect(await connection().replaceKey(new Secret('b'), 'run', true)).toMatchObject(code('other-account'))
  })

  test('of another account is refused, even if the service showed the account only after it was added', async () => {
    await addedBeforeShown()
    expect(await connection().replaceKey(new Secret('b'), 'run')).toMatchObject(code('other-account'))
  })

  test('whose account can’t be read needs the user’s answer if the connection has an account, even without edits and websites', async () => {
    const host = await current().host(account(1, 'a'), account(2, 'b'))
    await current().connected(host.address, 'a')
    host.hideAccount = true
    expect(await connection().replaceKey(new Secret('b'), 'run')).toMatchObject(code('account-unclear'))
    expect(connection().active()?.key.current()?.reveal()).toBe('a')
    await connection().active()?.outbox.create(aDraft())
    await expect.poll(() => host.stores[0]?.byDomain('new.example')).toBeTruthy()
    expect(host.stores[1]?.all()).toEqual([])
  })

  test('is accepted because it shows a known website, even if the oldest ones were deleted', async () => {
    const { address } = await current().host(
      nameless('a', ...Array.from({ length: 8 }, (_, n) => `w${String(n)}.example`)),
      nameless('b', ...Array.from({ length: 8 }, (_, n) => `w${String(n)}.example`)),
    )
    await current().connected(address, 'a')
    await expectWebsites(8)
    await waiting()
    for (const id of [1, 2, 3, 4]) current().hosts[0]?.stores[1]?.delete(id)
    expect(await connection().replaceKey(new Secret('b'), 'run')).toMatchObject({ ok: true })
  })

  test('whose account can’t be read needs the user’s answer if an edit was queued during the check', async () => {
    const { address } = await current().host(nameless('a'), nameless('b'))
    await current().connected(address, 'a')
    await connection().active()?.outbox.stop()
    const replaced = connection().replaceKey(new Secret('b'), 'run')
    await connection().active()?.outbox.create(aDraft())
    expect(await replaced).toMatchObject(code('account-unclear'))
    expect(connection().active()?.key.current()?.reveal()).toBe('a')
  })
})

describe('connecting again to a saved account', () => {
  test('asks the user if the account of the key can’t be determined', async () => {
    const { address, stores } = await current().host(nameless('a'), nameless('b'))
    const first = await current().connected(address, 'a')
    await waiting()
    await connection().disconnect()
    expect(await connection().connect(address, new Secret('b'), 'run')).toMatchObject(code('account-unclear'))
    expect(connection().active()).toBeNull()
    expect(stores.flatMap((store) => store.all())).toEqual([])

    const other = await connection().connect(address, new Secret('b'), 'run', false)
    expect(other).toMatchObject({ ok: true })
    expect(other.ok && other.value.id).not.toBe(first.id)
    expect(connection().active()?.outbox.counts()).toMatchObject({ waiting: 0, parked: 0 })
    await connection().disconnect()

    expect(await connection().connect(address, new Secret('a'), 'run', true)).toMatchObject({ value: { id: first.id } })
    await expect.poll(() => stores[0]?.byDomain('new.example')).toBeTruthy()
    expect(stores[1]?.all()).toEqual([])
  })

  test('asks the user if the account of the key can’t be read, although the account of the connection is known', async () => {
    const host = await current().host(account(1, 'a'), account(2, 'b'))
    const first = await current().connected(host.address, 'a')
    await connection().disconnect()
    host.hideAccount = true
    expect(await connection().connect(host.address, new Secret('b'), 'run')).toMatchObject(code('account-unclear'))
    const other = await connection().connect(host.address, new Secret('b'), 'run', false)
    expect(other.ok && other.value.id).not.toBe(first.id)
    await connection().disconnect()
    const back = await connection().connect(host.address, new Secret('a'), 'run', true)
    expect(back).toMatchObject({ ok: true, value: { id: first.id } })
  })

  test('asks the user before it gives the key to a saved account that has no websites, but another key, tags or presets', async () => {
    const { address } = await current().host(nameless('a'), nameless('b'))
    const first = await current().connected(address, 'a')
    const asks = async () =>
      expect(await connection().connect(address, new Secret('b'), 'run')).toMatchObject(code('account-unclear'))
    await asks()
    expect(connection().active()?.key.current()?.reveal()).toBe('a')
    await connection().disconnect()
    await connection().visit(first.id, ({ tags }) => tags.save({ name: 'Later', colour: 'red', was: null }))
    await asks()
    await connection().visit(first.id, ({ tags, presets }) => {
      tags.remove('Later')
      presets.save({ id: null, name: 'Strict', change: { privacy: 1 } })
    })
    await asks()
    const other = await connection().connect(address, new Secret('b'), 'run', false)
    expect(other.ok && other.value.id).not.toBe(first.id)
  })

  test('gives the key, without asking, to a saved account that has no websites, no key and no local data', async () => {
    const { address } = await current().host(nameless('a'), nameless('b'))
    const first = await current().connected(address, 'a')
    await connection().disconnect()
    expect((await current().connected(address, 'b')).id).toBe(first.id)
  })

  test('asks nothing for the key that the connection has already', async () => {
    const { address } = await current().host(nameless('a'))
    const first = await current().connected(address, 'a')
    await waiting()
    expect((await current().connected(address, 'a')).id).toBe(first.id)
  })

  test('adds another connection for another address, and sends each edit to the address at which it was made', async () => {
    const firstHost = await current().host(account(1, 'a'))
    const secondHost = await current().host(account(1, 'a'))
    const first = await current().connected(firstHost.address, 'a')
    await waiting()
    const second = await current().connected(secondHost.address, 'a')
    expect(second.id).not.toBe(first.id)
    expect(connection().active()?.outbox.counts()).toMatchObject({ waiting: 0, parked: 0 })
    await connection().active()?.outbox.create(aDraft('there.example'))
    await expect.poll(() => secondHost.stores[0]?.all().map(({ domain }) => domain)).toEqual(['there.example'])
    expect(firstHost.stores[0]?.all()).toEqual([])

    await connection().close()
    current().connections = current().start()
    await current().connected(firstHost.address, 'a')
    await expect.poll(() => firstHost.stores[0]?.all().map(({ domain }) => domain)).toEqual(['new.example'])
    expect(secondHost.stores[0]?.all().map(({ domain }) => domain)).toEqual(['there.example'])
  })
})
