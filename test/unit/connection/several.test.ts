import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { m } from '../../../src/messages/index.ts'
import { fail } from '../../../src/shared/result.ts'
import { MAX_TAGS } from '../../../src/shared/tags.ts'
import { Secret } from '../../../src/main/secrets/secret.ts'
import { must } from '../outbox/rig.ts'
import { aDraft, useRig, type Rig } from './rig.ts'

const current = useRig()

/** Adds two accounts of one host. The second one is active. */
async function two(rig: Rig) {
  const host = await rig.host({ id: 1, key: 'a', websites: [] }, { id: 2, key: 'b', websites: [] })
  const first = await rig.connected(host.address, 'a')
  const second = await rig.connected(host.address, 'b')
  return { first, second, host }
}

async function wait(rig: Rig, domain: string): Promise<void> {
  expect(await rig.connections.active()?.outbox.create(aDraft(domain))).toMatchObject({ ok: true })
}

describe('switching', () => {
  test('loads the key from the keychain and sends new edits to that account only', async () => {
    const rig = current()
    const { first, host } = await two(rig)
    expect(await rig.connections.switchTo(first.id)).toMatchObject({ ok: true, value: { id: first.id } })
    await expect.poll(() => rig.connections.view()).toMatchObject({ id: first.id, key: 'stored' })
    await wait(rig, 'new.example')
    await expect.poll(() => host.stores[0]?.byDomain('new.example')).toBeTruthy()
    expect(host.stores[1]?.all()).toEqual([])
    await rig.connections.close()
    rig.connections = rig.start()
    await rig.connections.restore()
    expect(rig.connections.view()).toMatchObject({ id: first.id })
  })

  test('keeps the unsent edits of each connection, and the list of connections counts them', async () => {
    const rig = current()
    const { first, second, host } = await two(rig)
    await host.close()
    await wait(rig, 'one.example')
    await wait(rig, 'two.example')
    await rig.connections.switchTo(first.id)
    await wait(rig, 'three.example')
    expect(await rig.connections.list()).toMatchObject({
      ok: true,
      value: [
        { id: first.id, active: true, unsent: 1 },
        { id: second.id, active: false, unsent: 2 },
      ],
    })
  })

  test('leaves everything unchanged if the connection is unknown or its file can’t be opened', async () => {
    const rig = current()
    const { first, second } = await two(rig)
    await rig.connections.close()
    const file = join(rig.folder, `${first.id}.db`)
    rmSync(file)
    mkdirSync(file)
    rig.connections = rig.start()
    await rig.connections.restore()
    await rig.connections.runOthers()
    expect(rig.connections.accounts()).toMatchObject([
      { id: first.id, running: false, problem: { code: 'storage' } },
      { id: second.id, running: true, problem: null },
    ])
    expect(await rig.connections.switchTo(first.id)).toMatchObject({ ok: false })
    expect(await rig.connections.list()).toMatchObject({
      ok: true,
      value: [{ unsent: null, localData: 'unknown' }, { unsent: 0 }],
    })
    expect(await rig.connections.switchTo('none')).toEqual(fail('no-connection'))
    await expect.poll(() => rig.connections.view()).toMatchObject({ id: second.id, key: 'stored' })
    expect(rig.app.activeConnection()).toMatchObject({ id: second.id })
  })
})

test('a switch that is canceled while the file is being opened does not switch, and the account can be shown later', async () => {
  const rig = current()
  const { first, second } = await two(rig)
  await rig.connections.close()
  rig.connections = rig.start()
  await rig.connections.restore()
  let open = (): void => undefined
  rig.slowFiles.set(first.id, new Promise((resolve) => (open = resolve)))
  const switched = rig.connections.switchTo(first.id)
  // Lets the switch start to open the file.
  await new Promise((resolve) => setImmediate(resolve))
  rig.connections.cancelConnect()
  open()
  expect(await switched).toEqual(fail('no-connection'))
  expect(rig.connections.view()).toMatchObject({ id: second.id })
  expect(rig.app.activeConnection()).toMatchObject({ id: second.id })
  expect(await rig.connections.switchTo(first.id)).toMatchObject({ ok: true, value: { id: first.id } })
})

test('while the window is visible, an account that is not shown is no longer offline soon after the service is back', async () => {
  const rig = current()
  const { host } = await two(rig)
  await host.close()
  for (const { reach } of rig.connections.all()) reach.hint(false)
  const offline = () => rig.connections.accounts().map(({ offline }) => offline)
  await expect.poll(offline).toEqual([true, true])
  await host.reopen()
  await expect.poll(offline, { timeout: 8_000 }).toEqual([false, false])
}, 15_000)

describe('a name', () => {
  test('that the user chose is kept when connecting again and at the next start', async () => {
    const rig = current()
    const { first, second, host } = await two(rig)
    expect(await rig.connections.rename(first.id, 'Studio Nord')).toMatchObject({ ok: true })
    expect(await rig.connections.rename(second.id, 'Verein')).toMatchObject({ ok: true })
    expect(rig.connections.view()).toMatchObject({ id: second.id, name: 'Verein' })
    expect(await rig.connected(host.address, 'a')).toMatchObject({ id: first.id, name: 'Studio Nord' })
    await rig.connections.close()
    rig.connections = rig.start()
    await rig.connections.restore()
    expect(rig.connections.view()).toMatchObject({ name: 'Studio Nord' })
  })
})

test('the default name of a connection follows the name of the account on the service, and an empty name restores the default', async () => {
  const rig = current()
  const [one, other] = [
    { id: 1, key: 'a', websites: [], name: 'Acme' },
    { id: 2, key: 'b', websites: [], name: 'Verein' },
  ]
  const host = await rig.host(one, other)
  const { id } = await rig.connected(host.address, 'a')
  const renamedTo = async (name: string) => {
    one.name = name
    // Runs another refresh, because a running one may have read the earlier name.
    await rig.connections.active()?.refresh.rerun()
    return rig.connections.view()?.name
  }
  expect(await renamedTo('Acme')).toBe('Acme')
  expect(await renamedTo('Acme & Daughters')).toBe('Acme & Daughters')
  await rig.connections.rename(id, 'Mine')
  expect(await renamedTo('Acme Ltd')).toBe('Mine')

  // A hidden account gets the name that its last refresh has read.
  await rig.connected(host.address, 'b')
  expect(await rig.connections.rename(id, '')).toMatchObject({ ok: true })
  expect(await rig.connections.list()).toMatchObject({ value: [{ name: 'Acme Ltd' }, { name: 'Verein' }] })
  await rig.connections.switchTo(id)
  await expect.poll(() => rig.connections.view()).toMatchObject({ key: 'stored' })
  expect(await renamedTo('Acme Inc')).toBe('Acme Inc')
})

describe('removing', () => {
  const filesOf = (rig: Rig, id: string) => readdirSync(rig.folder).filter((name) => name.startsWith(id))
  const keysOf = (rig: Rig, id: string) => [...rig.keys.stored.keys()].filter((name) => name.startsWith(id))

  test('deletes only what the user has agreed to, and leaves the other connection unchanged', async () => {
    const rig = current()
    const { first, second, host } = await two(rig)
    await rig.connections.switchTo(first.id)
    await host.close()
    await rig.connections.active()?.outbox.create({ ...aDraft('one.example'), privacy: 2, password: 'kept-hidden' })
    await rig.connections.switchTo(second.id)
    writeFileSync(join(rig.folder, `${first.id}.db.damaged-2026-01-01`), 'aside')
    expect(keysOf(rig, first.id)).toHaveLength(2)

    expect(await rig.connections.edits(first.id, { page: 1, per_page: 10 })).toMatchObject({
      ok: true,
      value: { total: 1, edits: [{ domain: 'one.example' }] },
    })
    expect(await rig.connections.remove(first.id, 0)).toEqual(fail('edits-wait'))
    expect(filesOf(rig, first.id)).not.toEqual([])
    expect(await rig.connections.remove(first.id, 1)).toEqual({ ok: true, value: { keyLeft: false } })
    expect(filesOf(rig, first.id)).toEqual([])
    expect(keysOf(rig, first.id)).toEqual([])
    expect(await rig.connections.list()).toMatchObject({ ok: true, value: [{ id: second.id, active: true }] })
    expect(keysOf(rig, second.id)).toHaveLength(1)
    expect(rig.connections.view()).toMatchObject({ id: second.id, key: 'stored' })
  })

  test('the active connection leaves no connection active, and a connection added afterwards is listed last', async () => {
    const rig = current()
    const { first, second, host } = await two(rig)
    await rig.connected(host.address, 'a')
    expect(await rig.connections.remove(first.id, 0)).toMatchObject({ ok: true })
    expect(rig.connections.view()).toBeNull()
    expect(rig.app.activeConnection()).toBeNull()
    const again = await rig.connected(host.address, 'a')
    expect(again.id).not.toBe(first.id)
    expect(rig.app.connections().map(({ id }) => id)).toEqual([second.id, again.id])
  })

  test('the sample account deletes its websites, and the next sample account starts with the original ones', async () => {
    const rig = current()
    const sample = await rig.connections.trySample()
    await rig.connections.active()?.outbox.create(aDraft())
    await expect.poll(() => rig.connections.active()?.outbox.counts()).toMatchObject({ waiting: 0, parked: 0 })
    expect(await rig.connections.remove(sample.ok ? sample.value.id : '', 0)).toMatchObject({ ok: true })
    expect(filesOf(rig, 'sample')).toEqual([])
    await rig.connections.trySample()
    await expect.poll(() => rig.connections.active()?.view.total()).toBe(3)
  })

  test('with a locked keychain deletes the key once that is possible', async () => {
    const rig = current()
    const { first } = await two(rig)
    rig.keys.at.refuses = true
    expect(await rig.connections.remove(first.id, 0)).toEqual({ ok: true, value: { keyLeft: true } })
    expect(keysOf(rig, first.id)).toHaveLength(1)
    rig.keys.at.refuses = false
    rig.connections.keychainOpened()
    await expect.poll(() => keysOf(rig, first.id)).toEqual([])
  })
})

test('an account whose file can’t be deleted shows the error, stays stopped, and can be removed once the file can be deleted', async () => {
  const rig = current()
  const { first, second } = await two(rig)
  // The deletion fails, because a folder has the place of a file.
  const folder = join(rig.folder, `${first.id}.db.folder`)
  mkdirSync(folder)
  expect(await rig.connections.remove(first.id, 0)).toMatchObject({ error: { code: 'storage' } })
  // The dialog can list the pending changes again.
  expect(await rig.connections.edits(first.id, { page: 1, per_page: 10 })).toMatchObject({ ok: true })
  expect(await rig.connections.list()).toMatchObject({ value: [{ opening: false }, {}] })
  const stopped = { id: first.id, running: false, key: 'missing' }
  expect(rig.connections.accounts()[0]).toMatchObject({ ...stopped, problem: { code: 'storage' } })
  expect(rig.timers.size).toBe(0)
  await rig.connections.close()
  rig.connections = rig.start()
  await rig.connections.runOthers()
  expect(rig.connections.accounts()).toMatchObject([stopped, { running: true }])
  rmSync(folder, { recursive: true })
  expect(await rig.connections.remove(first.id, 0)).toMatchObject({ ok: true })
  expect(rig.connections.accounts()).toMatchObject([{ id: second.id, running: true }])
})

describe('while the keychain waits for the user', () => {
  /** Adds two accounts, and begins `request`. The keychain answers calls of the request only once `answer` is called. */
  async function asking<T>(request: (rig: Rig, address: string, id: string) => Promise<T>) {
    const rig = current()
    const accounts = ['a', 'b', 'c'].map((key, id) => ({ id, key, websites: [] }))
    const { address } = await rig.host(...accounts)
    const first = await rig.connected(address, 'a')
    const second = await rig.connected(address, 'b')
    const answered = Promise.withResolvers<void>()
    rig.keys.at.slow = answered.promise
    return { rig, first, second, answered: request(rig, address, second.id), answer: answered.resolve }
  }
  const requests = {
    'a disconnect': (rig: Rig) => rig.connections.disconnect(),
    'a removal': (rig: Rig, _address: string, id: string) => rig.connections.remove(id, 0),
  }

  test.each(Object.keys(requests) as (keyof typeof requests)[])(
    '%s delays neither a switch nor the quit, and the deletion of the key is due if the app ends first',
    async (name) => {
      const { rig, first, second, answered, answer } = await asking(requests[name])
      expect(await rig.connections.switchTo(first.id)).toMatchObject({ ok: true })
      await rig.connections.close()
      expect(rig.app.keychainRecords.endingWith(':due')).toEqual([`${second.id}:api-key:due`])
      answer()
      expect(await answered).toEqual({ ok: true, value: { keyLeft: false } })
      expect(rig.app.keychainRecords.endingWith(':due')).toEqual([])
      expect([...rig.keys.stored.keys()]).toEqual([`${first.id}:api-key`])
    },
  )

  test('a connect does not delay the quit, and leaves neither an account nor a key', async () => {
    const { rig, answered, answer } = await asking((rig, address) =>
      rig.connections.connect(address, new Secret('c'), 'keychain'),
    )
    // The app stores a record of the key right before it calls the keychain.
    await expect.poll(() => rig.app.keychainRecords.endingWith(':api-key')).toHaveLength(3)
    await rig.connections.close()
    expect(await answered).toMatchObject({ ok: false, error: { code: 'no-connection' } })
    expect(rig.app.connections()).toHaveLength(2)
    answer()
    await expect.poll(() => [...rig.keys.stored.values()]).toEqual(['a', 'b'])
  })
})

describe('tags and notes of a removed account', () => {
  /** Connects the account of the key `a`, and gives a website a tag and a note. Returns them with the connection's id. */
  async function tagged(rig: Rig, address: string) {
    const { id } = await rig.connected(address, 'a')
    const connection = rig.connections.active() ?? expect.fail('it is not connected')
    connection.tags.save({ was: null, name: 'Later', colour: 'red' })
    connection.tags.change([{ domain: 'a.example', to: { tags: ['Later'], note: 'Invoice' } }])
    return { id, data: connection.localData.read() }
  }
  const hasAny = (rig: Rig) => rig.connections.active()?.localData.hasAny()

  test('are kept if the user asks for it, until the same account is added again', async () => {
    const rig = current()
    const host = await rig.host({ id: 1, key: 'a', websites: [] }, { id: 2, key: 'b', websites: [] })
    const { id, data } = await tagged(rig, host.address)
    expect(await rig.connections.list()).toMatchObject({ value: [{ localData: 'keepable' }] })
    expect(await rig.connections.remove(id, 0, true)).toMatchObject({ ok: true })
    await rig.connected(host.address, 'b')
    expect(hasAny(rig)).toBe(false)
    const again = await rig.connected(host.address, 'a')
    expect(rig.connections.active()?.localData.read()).toEqual(data)
    // The account that was added again has got the tag and the note, so removing it without keeping them deletes them.
    expect(await rig.connections.remove(again.id, 0, false)).toMatchObject({ ok: true })
    await rig.connected(host.address, 'a')
    expect(hasAny(rig)).toBe(false)
  })

  test('are kept for an account that is not open', async () => {
    const rig = current()
    const host = await rig.host({ id: 1, key: 'a', websites: [] })
    const { id, data } = await tagged(rig, host.address)
    await rig.connections.disconnect()
    expect(await rig.connections.list()).toMatchObject({ value: [{ active: false, localData: 'keepable' }] })
    expect(await rig.connections.remove(id, 0, true)).toMatchObject({ ok: true })
    await rig.connected(host.address, 'a')
    expect(rig.connections.active()?.localData.read()).toEqual(data)
  })

  test('are not kept if the host shows no account, so that another account of the host doesn’t get them', async () => {
    const rig = current()
    const host = await rig.host({ id: null, key: 'a', websites: [] }, { id: null, key: 'b', websites: [] })
    const { id } = await tagged(rig, host.address)
    expect(await rig.connections.list()).toMatchObject({ value: [{ localData: 'lost' }] })
    expect(await rig.connections.remove(id, 0, true)).toMatchObject({ ok: true })
    await rig.connected(host.address, 'b')
    expect(hasAny(rig)).toBe(false)
  })

  test('come back once the key is entered for an account that was imported without one', async () => {
    const rig = current()
    const host = await rig.host({ id: 1, key: 'a', websites: [] })
    const { id, data } = await tagged(rig, host.address)
    expect(await rig.connections.remove(id, 0, true)).toMatchObject({ ok: true })
    must(rig.app.saveConnection({ id: 'new', address: host.address, accountId: '1', name: 'Acme', sample: false }))
    expect(await rig.connections.switchTo('new')).toMatchObject({ ok: true })
    expect(hasAny(rig)).toBe(false)
    expect(await rig.connections.replaceKey(new Secret('a'), 'run', true)).toMatchObject({ ok: true })
    expect(rig.connections.active()?.localData.read()).toEqual(data)
  })

  test.each([
    ['are added to those kept when the account was removed before', true],
    ['are deleted together with those kept before, if the user doesn’t keep them', false],
  ])('%s', async (_title, keep) => {
    const rig = current()
    const host = await rig.host({ id: 1, key: 'a', websites: [] })
    const { id, data } = await tagged(rig, host.address)
    expect(await rig.connections.remove(id, 0, true)).toMatchObject({ ok: true })
    must(rig.app.saveConnection({ id: 'new', address: host.address, accountId: '1', name: 'Acme', sample: false }))
    must(
      must(
        await rig.connections.visit('new', ({ tags }) => tags.change([{ domain: 'b.example', to: { note: 'New' } }])),
      ),
    )
    expect(await rig.connections.remove('new', 0, keep)).toMatchObject({ ok: true })
    await rig.connected(host.address, 'a')
    const own = { domain: 'b.example', tags: [], note: 'New' }
    const websites = keep ? [...must(data).websites, own] : []
    expect(must(rig.connections.active()?.localData.read() ?? fail('storage')).websites).toEqual(websites)
  })

  test('that were kept before stay kept if the account has none when it is removed again', async () => {
    const rig = current()
    const host = await rig.host({ id: 1, key: 'a', websites: [] })
    const { id, data } = await tagged(rig, host.address)
    expect(await rig.connections.remove(id, 0, true)).toMatchObject({ ok: true })
    must(rig.app.saveConnection({ id: 'new', address: host.address, accountId: '1', name: 'Acme', sample: false }))
    expect(await rig.connections.remove('new', 0, true)).toMatchObject({ ok: true })
    await rig.connected(host.address, 'a')
    expect(rig.connections.active()?.localData.read()).toEqual(data)
  })

  test('do not replace those that were kept before if both together are too many, and the account is not removed', async () => {
    const rig = current()
    const host = await rig.host({ id: 1, key: 'a', websites: [] })
    const { id } = await tagged(rig, host.address)
    expect(await rig.connections.remove(id, 0, true)).toMatchObject({ ok: true })
    const account = { id: 'new', address: host.address, accountId: '1', name: 'Acme', sample: false }
    must(rig.app.saveConnection(account))
    const kept = rig.app.keptLocalData(account)
    const tags = Array.from({ length: MAX_TAGS }, (_, n) => ({ was: null, name: `Tag ${n}`, colour: 'red' }) as const)
    await rig.connections.visit('new', (open) => tags.forEach((tag) => must(open.tags.save(tag))))
    const fields = { name: [m.input_tags_too_many({ limit: '100' })] }
    const tooMany = { ok: false, error: { code: 'invalid-input', fields } }
    expect(await rig.connections.remove('new', 0, true)).toMatchObject(tooMany)
    expect(rig.app.keptLocalData(account)).toEqual(kept)
    expect(await rig.connections.remove('new', 0, false)).toMatchObject({ ok: true })
  })

  test('stay with the account, which is not removed, if the disk refuses to keep them', async () => {
    const rig = current()
    const host = await rig.host({ id: 1, key: 'a', websites: [] })
    const { id } = await tagged(rig, host.address)
    vi.spyOn(rig.app, 'keepLocalData').mockReturnValueOnce(fail('disk-full'))
    expect(await rig.connections.remove(id, 0, true)).toMatchObject({ ok: false, error: { code: 'disk-full' } })
    expect(hasAny(rig)).toBe(true)
  })
})
