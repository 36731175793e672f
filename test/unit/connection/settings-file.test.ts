import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createSettingsFile, type SettingsFile } from '../../../src/main/local/settings-file.ts'
import { readClientCertificate } from '../../../src/main/network/certificate-files.ts'
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

async function importOf(file: SettingsFile, text: string) {
  const opened = await file.open(text)
  return opened.ok ? opened.value.import() : opened
}

function otherComputer(): Rig {
  const rig = new Rig()
  onTestFinished(() => rig.close())
  return rig
}

const view = { name: 'Public', search: 'privacy:public', sortBy: 'domain', sort: 'asc', columns: [] } as const

const office = { name: 'Office', lines: ['192.0.2.1', '198.51.100.0/24'] }

/** Connects an account with data of every kind. Returns the exported settings file as `text`. */
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
  return { host, id, text: (await settingsFileOf(rig).export()).text }
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
  expect(must(await file.open(text)).effect.effects).toEqual([
    { section: 'settings', account: null, added: [], changed, unchanged: expect.any(Number) as number, limit: null },
    { section: 'addresses', account: null, added: ['Office'], changed: [], unchanged: 0, limit: null },
    { section: 'accounts', account: null, added: [`Acme (${host.address})`], changed: [], unchanged: 0, limit: null },
    { section: 'presets', account: 'Acme', added: ['Client'], changed: [], unchanged: 0, limit: null },
    { section: 'views', account: 'Acme', added: ['Public'], changed: [], unchanged: 0, limit: null },
    { section: 'tags', account: 'Acme', added: ['Clients'], changed: [], unchanged: 0, limit: null },
    { section: 'websites', account: 'Acme', added: ['a.example'], changed: [], unchanged: 0, limit: null },
  ])
  const { effect } = must(await file.open(text))
  expect(effect.settings).toEqual({ theme: 'dark' })
  expect(effect.statistics).toEqual([{ account: 'Acme', template: 'https://stats.example/{id}' }])
  expect(rig.app.connections()).toEqual([])
  must(await importOf(file, text))
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
  // Another import of the same file would change nothing. The imported account works with its key.
  expect(must(await file.open(text)).effect).toMatchObject({ settings: {}, statistics: [] })
  expect(
    must(await file.open(text)).effect.effects.flatMap(({ added, changed: others }) => [...added, ...others]),
  ).toEqual([])
  must(await rig.connections.switchTo(id))
  must(await rig.connections.replaceKey(new Secret(KEY), 'keychain'))
  await expect.poll(() => rig.connections.active()?.view.total()).toBe(1)
})

test('an import replaces entries of the same name, adds the others, and removes nothing', async () => {
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
  expect(must(await file.open(text)).effect.effects.slice(1)).toEqual([
    { section: 'addresses', account: null, added: [], changed: ['Office'], unchanged: 0, limit: null },
    { section: 'accounts', account: null, added: [], changed: ['Acme'], unchanged: 0, limit: null },
    { section: 'presets', account: 'Acme', added: [], changed: ['Client'], unchanged: 0, limit: null },
    { section: 'views', account: 'Acme', added: ['Public'], changed: [], unchanged: 0, limit: null },
    { section: 'tags', account: 'Acme', added: [], changed: ['Clients'], unchanged: 0, limit: null },
    { section: 'websites', account: 'Acme', added: [], changed: ['a.example'], unchanged: 0, limit: null },
  ])
  must(await importOf(file, text))
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

test('an import keeps the preset that an account uses for new websites, and sets one if there is none', async () => {
  const rig = current()
  const { text } = await filled(rig)
  const file = JSON.parse(text) as { accounts: object[] }
  const presets = [{ name: 'Other', change: { privacy: 2 }, forNew: true }]
  const other = JSON.stringify({ ...file, accounts: [{ ...file.accounts[0], presets }] })
  const imported = settingsFileOf(rig)
  const list = () => must(rig.connections.active()?.presets.list() ?? fail('no-connection'))
  const [own] = list()
  must(rig.connections.active()?.presets.save({ ...(own ?? expect.fail()), forNew: true }) ?? fail('no-connection'))
  must(await importOf(imported, other))
  expect(list().map(({ name, forNew = false }) => [name, forNew])).toEqual([
    ['Client', true],
    ['Other', false],
  ])
  const ofPresets = async () =>
    must(await imported.open(other)).effect.effects.filter(({ section }) => section === 'presets')
  expect(await ofPresets()).toMatchObject([{ added: [], changed: [], unchanged: 1 }])
  const both = [{ name: 'Client', change: own?.change }, ...presets]
  must(await importOf(imported, JSON.stringify({ ...file, accounts: [{ ...file.accounts[0], presets: both }] })))
  expect(list().map(({ name, forNew = false }) => [name, forNew])).toEqual([
    ['Client', true],
    ['Other', false],
  ])
  must(rig.connections.active()?.presets.remove(own?.id ?? '') ?? fail('no-connection'))
  expect(await ofPresets()).toMatchObject([{ added: [], changed: ['Other'], unchanged: 0 }])
  must(await importOf(imported, other))
  expect(list().map(({ name, forNew = false }) => [name, forNew])).toEqual([['Other', true]])
})

test('an import adds the tags in the file to those that a website has, and keeps the note of the website if the file has none', async () => {
  const rig = current()
  const { id, text } = await filled(rig)
  const file = JSON.parse(text) as { accounts: object[] }
  const websites = [{ domain: 'a.example', tags: ['Invoice', 'clients'], note: '' }]
  const other = JSON.stringify({ ...file, accounts: [{ ...file.accounts[0], websites }] })
  must(await importOf(settingsFileOf(rig), other))
  const merged = { domain: 'a.example', tags: ['Clients', 'Invoice'], note: 'Ask Ada.' }
  expect(must(await keptBy(rig, id)).websites).toEqual([merged])
  expect(must(await settingsFileOf(rig).open(other)).effect.effects.at(-1)).toMatchObject({
    ...{ section: 'websites', added: [], changed: [], unchanged: 1 },
  })
})

test('the effect of an import names accounts of the same name with their addresses', async () => {
  const rig = current()
  const { host, id, text } = await filled(rig)
  const file = JSON.parse(text) as { accounts: object[] }
  const statisticsAddress = 'https://figures.example/{id}'
  const address = 'https://other.example/api'
  const another = { ...file.accounts[0], id: 'another', address, statisticsAddress }
  must(await rig.connections.rename(id, 'Renamed'))
  const both = JSON.stringify({ ...file, accounts: [file.accounts[0], another] })
  const { effects, statistics } = must(await settingsFileOf(rig).open(both)).effect
  const [own, other] = [`Acme (${host.address})`, `Acme (${address})`]
  expect(effects.find(({ section }) => section === 'accounts')).toMatchObject({ added: [other], changed: [own] })
  expect(effects.flatMap(({ section, account }) => (section === 'tags' ? [account] : []))).toEqual([own, other])
  expect(statistics).toEqual([{ account: other, template: statisticsAddress }])
  const alone = JSON.stringify({ ...file, accounts: [{ ...another, name: 'Renamed' }] })
  expect(must(await settingsFileOf(rig).open(alone)).effect.statistics).toMatchObject([
    { account: `Renamed (${address})` },
  ])
})

test('the effect of an import names accounts of the same name and address with their ids on the service', async () => {
  const rig = current()
  const { host, text } = await filled(rig)
  const file = JSON.parse(text) as { accounts: object[] }
  const both = { ...file, accounts: [file.accounts[0], { ...file.accounts[0], id: 'another', accountId: '8' }] }
  const { effects } = must(await settingsFileOf(rig).open(JSON.stringify(both))).effect
  const [own, other] = [`Acme (${host.address}, 7)`, `Acme (${host.address}, 8)`]
  expect(effects.find(({ section }) => section === 'accounts')).toMatchObject({ added: [other], unchanged: 1 })
  expect(effects.flatMap(({ section, account }) => (section === 'tags' ? [account] : []))).toEqual([own, other])
})

test('an export names a missing account with its address if another account has its name', async () => {
  const rig = current()
  const { host, id } = await filled(rig)
  const other = await rig.host({ id: 8, key: 'other-key', websites: [], name: 'Acme' })
  await rig.connected(other.address, 'other-key')
  const visit: typeof rig.connections.visit = (account, look) =>
    account === id ? Promise.resolve(fail('storage')) : rig.connections.visit(account, look)
  const file = settingsFileOf({ app: rig.app, connections: { ...rig.connections, visit } })
  expect((await file.export()).missing).toEqual([`Acme (${host.address})`])
})

test('an export names a missing account without its address if only the sample account has its name', async () => {
  const rig = current()
  const { name } = must(await rig.connections.trySample())
  const host = await rig.host({ id: 7, key: KEY, websites: [], name })
  const { id } = await rig.connected(host.address, KEY)
  expect(rig.app.connections().map((account) => account.name)).toEqual([name, name])
  const visit: typeof rig.connections.visit = (account, look) =>
    account === id ? Promise.resolve(fail('storage')) : rig.connections.visit(account, look)
  const file = settingsFileOf({ app: rig.app, connections: { ...rig.connections, visit } })
  expect((await file.export()).missing).toEqual([name])
})

test('an exported settings file can be imported even if the name of the account on the service is very long', async () => {
  const rig = current()
  const host = await rig.host({ id: 7, key: KEY, websites: [], name: `Two\nlines ${'x'.repeat(101)}` })
  const { id } = await rig.connected(host.address, KEY)
  const name = `Two lines ${'x'.repeat(90)}`
  expect(rig.app.connections()).toMatchObject([{ id, name }])
  const { text } = await settingsFileOf(rig).export()
  // Imports a file of an earlier version, which did not shorten the name.
  must(await importOf(settingsFileOf(otherComputer()), text.replace(name, 'x'.repeat(101))))
})

test('an exported settings file has no API key, password, passphrase or certificate', async () => {
  const rig = current()
  const { id } = await filled(rig)
  const { p12, sign } = makeCertificates()
  sign('ada', 'DNS:ada.example', '2')
  const certificate = must(readClientCertificate([p12('ada', 'planted-passphrase')], new Secret('planted-passphrase')))
  must(await rig.identities.setClient(id, certificate))
  const { keytar } = rig.keys
  const keychain = createKeychain({ load: async () => keytar, service: 'test', records: rig.app.keychainRecords })
  must(await createProxyLogins(keychain).set('proxy.example', 8080, 'ada', new Secret('planted-proxy')))
  must(
    (await rig.connections.active()?.outbox.create({ ...aDraft(), privacy: 2, password: 'planted-password' })) ??
      fail('storage'),
  )
  const stored = [...rig.keys.stored.values()]
  expect(stored.join()).toContain(KEY)
  const text = (await settingsFileOf(rig).export()).text
  for (const secret of [
    ...stored,
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
    must(await importOf(settingsFileOf(rig), changed(text, { address: 'https://evil.example' })))
    expect(rig.app.connections()).toMatchObject([{ id, address: host.address }, { address: 'https://evil.example' }])
    expect(rig.connections.accounts()).toMatchObject([{ key: 'stored' }, { key: 'missing', running: false }])
  })

  test('is refused if the app would not accept its address of the statistics', async () => {
    const rig = current()
    const { text } = await filled(rig)
    const file = settingsFileOf(rig)
    expect(await file.open(changed(text, { statisticsAddress: 'javascript:alert(1)' }))).toMatchObject({ ok: false })
    expect((await file.open(changed(text, { statisticsAddress: 'https://stats.example/{domain}' }))).ok).toBe(true)
  })

  test('is recognized by the account’s id on the service, or by its name if the service shows no id', async () => {
    const rig = current()
    const { text } = await filled(rig)
    const file = settingsFileOf(rig)
    must(await importOf(file, changed(text, { id: 'elsewhere' })))
    must(await importOf(file, changed(text, { id: 'elsewhere', accountId: null })))
    expect(rig.app.connections()).toHaveLength(1)
    must(await importOf(file, changed(text, { id: 'elsewhere', accountId: '8' })))
    expect(rig.app.connections()).toHaveLength(2)
  })

  test('is not added if the settings can’t be saved', async () => {
    const { text } = await filled(current())
    const rig = otherComputer()
    const files = () => readdirSync(rig.folder).filter((name) => !name.startsWith('app.'))
    const file = settingsFileOf(rig)
    const { app } = rig
    const refuses = { ...app, saveSettings: () => fail('disk-full') }
    expect(codeOf(await importOf(settingsFileOf({ app: refuses, connections: rig.connections }), text))).toBe(
      'disk-full',
    )
    expect(app.connections()).toEqual([])
    expect(files()).toEqual([])
    must(await importOf(file, text))
    expect(app.connections()).toHaveLength(1)
  })
})

describe('an import names in advance what it can’t import, and imports the rest:', () => {
  const named = (count: number, more: object) => Array.from({ length: count }, (_, at) => ({ ...more, name: `N${at}` }))

  test.each([
    ['presets', 100, { change: { privacy: 1 } }],
    ['views', 50, view],
    ['tags', 100, { colour: 'red' }],
  ] as const)('%s beyond the %i that an account can have', async (section, most, value) => {
    const rig = current()
    const { text } = await filled(rig)
    const file = JSON.parse(text) as { accounts: object[] }
    const account = { ...file.accounts[0], name: 'Renamed' }
    const withMore = (count: number) =>
      JSON.stringify({ ...file, accounts: [{ ...account, [section]: named(count, { ...value, columns: [] }) }] })
    const { effect, ...opened } = must(await settingsFileOf(rig).open(withMore(most)))
    // The account already has an entry of this kind, so the `most` entries of the file are one too many.
    const over = section === 'tags' ? ['tags', 'websites'] : [section]
    expect(effect.effects.filter(({ limit }) => limit !== null).map((one) => one.section)).toEqual(over)
    expect(effect.effects.find((one) => one.section === section)?.limit).toBe(most)
    must(await opened.import())
    expect(rig.connections.accounts()).toMatchObject([{ name: 'Renamed' }])
    const again = must(await settingsFileOf(rig).open(withMore(most - 1)))
    expect(again.effect.effects.every(({ limit }) => limit === null)).toBe(true)
    must(await again.import())
  })

  test('named addresses beyond the 100 that there can be', async () => {
    const { text } = await filled(current())
    const rig = current()
    const addresses = named(100, { lines: ['192.0.2.1'] })
    const { effect, ...opened } = must(
      await settingsFileOf(rig).open(JSON.stringify({ ...(JSON.parse(text) as object), addresses })),
    )
    expect(effect.effects.filter(({ limit }) => limit !== null)).toMatchObject([{ section: 'addresses', limit: 100 }])
    must(await opened.import())
    expect(rig.app.settings().namedAddresses).toEqual([office])
  })

  test('an account whose data can’t be read, or can’t be changed', async () => {
    const rig = current()
    const { text } = await filled(rig)
    const other = await rig.host({ id: 8, key: 'other-key', websites: [], name: 'Garden' })
    await rig.connected(other.address, 'other-key')
    const both = (await settingsFileOf(rig).export()).text.replaceAll('"Acme"', '"Acme 2"')
    const acme = rig.app.connections()[0]
    const connections = {
      import: rig.connections.import,
      visit: ((id, look) =>
        id === acme?.id
          ? Promise.resolve(fail('storage'))
          : rig.connections.visit(id, look)) as typeof rig.connections.visit,
    }
    const file = settingsFileOf({ app: rig.app, connections: { ...rig.connections, ...connections } })
    const exported = await file.export()
    expect(exported.missing).toEqual(['Acme'])
    expect(exported.text).toContain('Garden')
    const opened = must(await file.open(both.replace('"Garden"', '"Garden 2"')))
    expect(opened.effect.skipped).toMatchObject([{ account: 'Acme 2', error: { code: 'storage' } }])
    must(await opened.import())
    expect(rig.connections.accounts().map(({ name }) => name)).toEqual(['Acme', 'Garden 2'])
    const readOnly = {
      ...rig.connections,
      visit: ((id, look) =>
        rig.connections.visit(id, (one) => look({ ...one, readOnly: true }))) as typeof rig.connections.visit,
    }
    const again = must(await settingsFileOf({ app: rig.app, connections: readOnly }).open(text))
    expect(again.effect.skipped).toMatchObject([{ account: 'Acme', error: { code: 'newer-version' } }])
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
  expect(codeOf(await file.open(text))).toBe(code)
  expect(codeOf(await importOf(file, text))).toBe(code)
})

test('imports a file that has only some of the sections, and ignores unknown sections', async () => {
  const text = '{"format":"siteward-settings","version":1,"settings":{"theme":"light"},"later":[1]}'
  const file = settingsFileOf(current())
  expect(must(await file.open(text)).effect.effects).toEqual([
    { section: 'settings', account: null, added: [], changed: ['theme'], unchanged: 0, limit: null },
  ])
  must(await importOf(file, text))
  expect(current().app.settings()).toEqual({ ...defaultSettings, theme: 'light' })
})
