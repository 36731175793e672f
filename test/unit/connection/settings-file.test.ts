import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createSettingsFile } from '../../../src/main/local/settings-file.ts'
import { readClient } from '../../../src/main/network/certificate-files.ts'
import { createProxyLogins } from '../../../src/main/network/proxy-logins.ts'
import { createKeychain } from '../../../src/main/secrets/keychain.ts'
import { Secret } from '../../../src/main/secrets/secret.ts'
import { createSettings } from '../../../src/main/shell/settings.ts'
import { fail, ok } from '../../../src/shared/result.ts'
import { defaultSettings } from '../../../src/shared/state.ts'
import { codeOf, must } from '../outbox/rig.ts'
import { makeCertificates } from '../service/certificates.ts'
import { aDraft, Rig, useRig } from './rig.ts'

const current = useRig()

const KEY = 'planted-api-key'

function settingsFileOf({ app, connections }: Pick<Rig, 'app' | 'connections'>) {
  const autostart = { isOn: () => false, set: () => ok(undefined) }
  const settings = createSettings({ store: app, autostart, shortcut: () => true, onChange: () => undefined })
  return createSettingsFile({ connections, accounts: () => app.connections(), settings, newId: randomUUID })
}

/** Returns the data of another computer. */
function otherComputer(): Rig {
  const rig = new Rig()
  onTestFinished(() => rig.close())
  return rig
}

const view = { name: 'Public', search: 'privacy:public', sortBy: 'domain', sort: 'asc', columns: [] } as const

const office = { name: 'Office', lines: ['192.0.2.1', '198.51.100.0/24'] }

/** Connects an account that has a preset, a saved view and an address of its statistics, and changes a setting. */
async function filled(rig: Rig) {
  const host = await rig.host({ id: 7, key: KEY, websites: ['a.example'], name: 'Acme' })
  const { id } = await rig.connected(host.address, KEY)
  const account = rig.connections.active()
  must(account?.presets.save({ id: null, name: 'Client', change: { privacy: 1 } }) ?? fail('no-connection'))
  must(account?.savedViews.save({ ...view, columns: [], id: null }) ?? fail('no-connection'))
  must(account?.tags.save({ was: null, name: 'Clients', colour: 'blue' }) ?? fail('no-connection'))
  must(
    account?.tags.change([{ domain: 'a.example', to: { tags: ['Clients'], note: 'Ask Ada.' } }]) ??
      fail('no-connection'),
  )
  const statisticsAddresses = { [id]: 'https://stats.example/{id}' }
  must(rig.app.saveSettings({ ...defaultSettings, theme: 'dark', statisticsAddresses, namedAddresses: [office] }))
  return { host, id, text: must(await settingsFileOf(rig).export()) }
}

const keptBy = (rig: Rig, id: string) =>
  rig.connections.visit(id, ({ presets, savedViews, localData }) => ({
    tags: must(localData.read()).tags,
    websites: must(localData.read()).websites,
    presets: must(presets.list()).map(({ name, change }) => ({ name, change })),
    views: must(savedViews.list()).map(({ name, search }) => ({ name, search })),
  }))

test('moves the settings, and the accounts without their keys, to another computer', async () => {
  const { host, text } = await filled(current())
  const rig = otherComputer()
  const file = settingsFileOf(rig)
  const changed = expect.arrayContaining(['theme']) as string[]
  expect(must(await file.preview(text))).toEqual([
    { section: 'settings', account: null, added: [], changed, unchanged: expect.any(Number) as number },
    { section: 'addresses', account: null, added: ['Office'], changed: [], unchanged: 0 },
    { section: 'accounts', account: null, added: [`Acme (${host.address})`], changed: [], unchanged: 0 },
    { section: 'presets', account: 'Acme', added: ['Client'], changed: [], unchanged: 0 },
    { section: 'views', account: 'Acme', added: ['Public'], changed: [], unchanged: 0 },
    { section: 'tags', account: 'Acme', added: ['Clients'], changed: [], unchanged: 0 },
    { section: 'websites', account: 'Acme', added: ['a.example'], changed: [], unchanged: 0 },
  ])
  expect(rig.app.connections()).toEqual([])
  must(await file.import(text))
  const [account] = rig.connections.accounts()
  expect(account).toMatchObject({ name: 'Acme', address: host.address, running: false, key: 'missing' })
  const id = account?.id ?? ''
  expect(rig.app.settings()).toMatchObject({
    theme: 'dark',
    statisticsAddresses: { [id]: 'https://stats.example/{id}' },
    namedAddresses: [office],
  })
  expect(must(await keptBy(rig, id))).toEqual({
    presets: [{ name: 'Client', change: { privacy: 1 } }],
    views: [{ name: 'Public', search: 'privacy:public' }],
    tags: [{ name: 'Clients', colour: 'blue' }],
    websites: [{ domain: 'a.example', tags: ['Clients'], note: 'Ask Ada.' }],
  })
  // Once more, nothing is new, and the key is for this account.
  expect(must(await file.preview(text)).flatMap(({ added, changed: others }) => [...added, ...others])).toEqual([])
  must(await rig.connections.switchTo(id))
  must(await rig.connections.replaceKey(new Secret(KEY), 'keychain'))
  await expect.poll(() => rig.connections.active()?.view.total()).toBe(1)
})

test('replaces what has the same name, adds the rest, and removes nothing', async () => {
  const rig = current()
  const { id, text } = await filled(rig)
  const account = rig.connections.active()
  const [preset] = must(account?.presets.list() ?? fail('no-connection'))
  must(account?.presets.save({ id: preset?.id ?? null, name: 'client', change: { email: true } }) ?? fail('storage'))
  must(account?.presets.save({ id: null, name: 'Own', change: { email: true } }) ?? fail('storage'))
  must(account?.savedViews.remove(must(account.savedViews.list())[0]?.id ?? '') ?? fail('storage'))
  must(account?.tags.save({ was: 'Clients', name: 'clients', colour: 'red' }) ?? fail('storage'))
  must(
    account?.tags.change([
      { domain: 'a.example', to: { tags: [] } },
      { domain: 'b.example', to: { note: 'Own' } },
    ]) ?? fail('storage'),
  )
  must(await rig.connections.rename(id, 'Renamed'))
  const own = { name: 'Own', lines: ['192.0.2.9'] }
  must(rig.app.saveSettings({ ...rig.app.settings(), namedAddresses: [own, { ...office, lines: ['192.0.2.2'] }] }))
  const file = settingsFileOf(rig)
  expect(must(await file.preview(text)).slice(1)).toEqual([
    { section: 'addresses', account: null, added: [], changed: ['Office'], unchanged: 0 },
    { section: 'accounts', account: null, added: [], changed: ['Acme'], unchanged: 0 },
    { section: 'presets', account: 'Acme', added: [], changed: ['Client'], unchanged: 0 },
    { section: 'views', account: 'Acme', added: ['Public'], changed: [], unchanged: 0 },
    { section: 'tags', account: 'Acme', added: [], changed: ['Clients'], unchanged: 0 },
    { section: 'websites', account: 'Acme', added: [], changed: ['a.example'], unchanged: 0 },
  ])
  must(await file.import(text))
  expect(must(await keptBy(rig, id))).toMatchObject({
    presets: [{ name: 'Client', change: { privacy: 1 } }, { name: 'Own' }],
    views: [{ name: 'Public' }],
    tags: [{ name: 'Clients', colour: 'blue' }],
    websites: [
      { domain: 'a.example', tags: ['Clients'], note: 'Ask Ada.' },
      { domain: 'b.example', note: 'Own' },
    ],
  })
  expect(rig.app.settings().namedAddresses).toEqual([own, office])
  expect(must(account?.presets.list() ?? fail('storage'))[0]?.id).toBe(preset?.id)
  expect(rig.connections.accounts()).toMatchObject([{ id, name: 'Acme', key: 'stored', running: true }])
})

test('has no API key, password, passphrase or certificate', async () => {
  const rig = current()
  const { id } = await filled(rig)
  const { p12, sign } = makeCertificates()
  sign('ada', 'DNS:ada.example', '2')
  const certificate = must(readClient([p12('ada', 'planted-passphrase')], new Secret('planted-passphrase')))
  must(await rig.identities.setClient(id, certificate))
  const { keytar } = rig.keys
  const keychain = createKeychain({ load: async () => keytar, service: 'test', records: rig.app.keychainRecords })
  must(await createProxyLogins(keychain).set('proxy.example', 8080, 'ada', new Secret('planted-proxy')))
  must(
    (await rig.connections.active()?.outbox.create({ ...aDraft(), privacy: 2, password: 'planted-password' })) ??
      fail('storage'),
  )
  const kept = [...rig.keys.kept.values()]
  expect(kept.join()).toContain(KEY)
  const text = must(await settingsFileOf(rig).export())
  for (const secret of [
    ...kept,
    'planted-passphrase',
    'planted-proxy',
    'planted-password',
    certificate.client.passphrase.reveal(),
  ]) {
    expect(text).not.toContain(secret)
  }
  expect(text).not.toMatch(/BEGIN|PRIVATE|sealed/)
})

describe('an account of a file', () => {
  const changed = (text: string, change: object) => {
    const file = JSON.parse(text) as { accounts: object[] }
    return JSON.stringify({ ...file, accounts: file.accounts.map((account) => ({ ...account, ...change })) })
  }

  test('never changes the address that a key or an edit is sent to', async () => {
    const rig = current()
    const { id, host, text } = await filled(rig)
    must(await settingsFileOf(rig).import(changed(text, { address: 'https://evil.example' })))
    expect(rig.app.connections()).toMatchObject([{ id, address: host.address }, { address: 'https://evil.example' }])
    expect(rig.connections.accounts()).toMatchObject([{ key: 'stored' }, { key: 'missing', running: false }])
  })

  test('is refused with an address of the statistics that could not be saved in the app', async () => {
    const rig = current()
    const { text } = await filled(rig)
    const file = settingsFileOf(rig)
    expect(await file.preview(changed(text, { statisticsAddress: 'javascript:alert(1)' }))).toMatchObject({ ok: false })
    expect((await file.preview(changed(text, { statisticsAddress: 'https://stats.example/{domain}' }))).ok).toBe(true)
  })

  test('is recognised by its account, or by its name if the service shows none', async () => {
    const rig = current()
    const { text } = await filled(rig)
    const file = settingsFileOf(rig)
    must(await file.import(changed(text, { id: 'elsewhere' })))
    must(await file.import(changed(text, { id: 'elsewhere', accountId: null })))
    expect(rig.app.connections()).toHaveLength(1)
    must(await file.import(changed(text, { id: 'elsewhere', accountId: '8' })))
    expect(rig.app.connections()).toHaveLength(2)
  })

  test('is not added if what it keeps, or the settings, can’t be saved', async () => {
    const { text } = await filled(current())
    const rig = otherComputer()
    const files = () => readdirSync(rig.folder).filter((name) => !name.startsWith('app.'))
    const file = settingsFileOf(rig)
    const noName = changed(text, { presets: [{ name: 'Empty', change: {} }] })
    expect(codeOf(await file.import(noName))).toBe('invalid-input')
    const { app } = rig
    const refuses = { ...app, saveSettings: () => fail('disk-full') }
    expect(codeOf(await settingsFileOf({ app: refuses, connections: rig.connections }).import(text))).toBe('disk-full')
    expect(app.connections()).toEqual([])
    expect(files()).toEqual([])
    must(await file.import(text))
    expect(app.connections()).toHaveLength(1)
  })
})

test.each([
  ['no JSON', 'settings', 'bad-file'],
  ['another file', '{"format":"siteward-pending","version":1}', 'bad-file'],
  ['a damaged account', '{"format":"siteward-settings","version":1,"accounts":[{"id":"../x"}]}', 'bad-file'],
  ['a damaged setting', '{"format":"siteward-settings","version":1,"settings":{"theme":"pink"}}', 'bad-file'],
  ['a newer version', '{"format":"siteward-settings","version":2,"settings":7}', 'newer-version'],
])('refuses %s', async (_what, text, code) => {
  const file = settingsFileOf(current())
  expect(codeOf(await file.preview(text))).toBe(code)
  expect(codeOf(await file.import(text))).toBe(code)
})

test('reads a file with some of the sections, and ignores unknown ones', async () => {
  const text = '{"format":"siteward-settings","version":1,"settings":{"theme":"light"},"later":[1]}'
  const file = settingsFileOf(current())
  expect(must(await file.preview(text))).toEqual([
    { section: 'settings', account: null, added: [], changed: ['theme'], unchanged: 0 },
  ])
  must(await file.import(text))
  expect(current().app.settings()).toEqual({ ...defaultSettings, theme: 'light' })
})
