import { expect, test } from 'vitest'
import { networkHandlers } from '../../../src/main/ipc/network.ts'
import { createConnectionCertificates, DRAFT_CONNECTION_ID } from '../../../src/main/network/identities.ts'
import { createProxyLogins } from '../../../src/main/network/proxy-logins.ts'
import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryKeychain } from '../network/keychain.ts'
import { makeCertificates } from '../service/certificates.ts'

const { authority, p12, pem, sign } = makeCertificates()
sign('ada', 'DNS:ada.example', '2')
sign('eve', 'DNS:eve.example', '2')
const record = { id: 'a', address: 'https://stats.example', accountId: null, name: 'Acme', sample: false }

/**
 * Returns handlers with the account `a` and the sample account `s`.
 * `choose` sets the files that the user chooses next. `changed` lists the accounts whose change was reported. `stored` returns
 * the names of all files and keychain entries. `checked` holds the address that was checked last. `routes` lists the addresses
 * whose route was looked up.
 */
function withHandlers() {
  const folder = mkdtempSync(join(tmpdir(), 'siteward-network-'))
  const { keychain, entries } = memoryKeychain()
  const fileOf = (connection: string) => join(folder, `${connection}.json`)
  const identities = createConnectionCertificates({ keychain, fileOf, now: () => Date.now() })
  let files: Uint8Array[] | null = null
  const changed: (string | null)[] = []
  const checked: { last: string | null } = { last: null }
  const routes: string[] = []
  const saved = [record, { ...record, id: 's', sample: true }]
  const handlers = networkHandlers({
    identities,
    proxyLogins: createProxyLogins(keychain),
    connections: () => saved,
    checked,
    route: async (address) => {
      routes.push(address)
      return { kind: 'direct' }
    },
    chooseFiles: async () => (files === null ? null : { ok: true, value: files }),
    test: async () => [],
    onChange: (connection) => void changed.push(connection),
  })
  const choose = (...chosen: (string | Uint8Array)[]) => void (files = chosen.map((each) => Buffer.from(each)))
  const stored = () => [readdirSync(folder), [...entries.keys()]]
  return { handlers, choose, changed, checked, keychain, routes, saved, stored }
}
const client = { connection: 'a', use: 'client' } as const
const NOTHING = [[], []]

test('a wrong passphrase stores nothing, and the right one stores the certificate', async () => {
  const { handlers, choose, changed, stored } = withHandlers()
  choose(p12('ada', 'open'))
  expect(await handlers.chooseCertificate(client)).toEqual({ ok: true, value: 'passphrase' })
  const wrong = await handlers.enterPassphrase({ connection: 'a', passphrase: 'wrong' })
  expect(wrong).toMatchObject({ ok: false, error: { code: 'wrong-passphrase' } })
  expect([stored(), changed]).toEqual([NOTHING, []])
  expect(await handlers.enterPassphrase({ connection: 'a', passphrase: 'open' })).toEqual({ ok: true, value: 'saved' })
  expect([stored(), changed]).toEqual([[['a.json'], ['a:client-certificate']], ['a']])
  expect(await handlers.enterPassphrase({ connection: 'a', passphrase: 'open' })).toMatchObject({ ok: false })
})

test('a passphrase opens the file of its own account, also after a file was chosen for another one', async () => {
  const { handlers, choose, stored } = withHandlers()
  choose(p12('ada', 'open'))
  await handlers.chooseCertificate(client)
  choose(p12('ada', 'another'))
  expect(await handlers.chooseCertificate({ ...client, connection: 'new' })).toEqual({ ok: true, value: 'passphrase' })
  expect(await handlers.enterPassphrase({ connection: 'a', passphrase: 'open' })).toEqual({ ok: true, value: 'saved' })
  expect(stored()).toEqual([['a.json'], ['a:client-certificate']])
})

test('stores nothing if the account is removed before its passphrase is entered', async () => {
  const { handlers, choose, saved, stored } = withHandlers()
  choose(p12('ada', 'open'))
  expect(await handlers.chooseCertificate(client)).toEqual({ ok: true, value: 'passphrase' })
  saved.length = 0
  const refused = await handlers.enterPassphrase({ connection: client.connection, passphrase: 'open' })
  expect(refused).toMatchObject({ ok: false, error: { code: 'no-connection' } })
  expect(stored()).toEqual(NOTHING)
})

test.each(['an authority is chosen', 'the keychain stores a passphrase'])(
  'nothing is stored for an account that is removed while %s',
  async (moment) => {
    const { handlers, choose, changed, keychain, saved, stored } = withHandlers()
    const isAuthority = moment.startsWith('an')
    choose(...(isAuthority ? [authority] : [pem('ada.pem'), pem('ada.key')]))
    const { set } = keychain
    keychain.set = (...entry) => ((saved.length = 0), set(...entry))
    const choosing = handlers.chooseCertificate({ connection: 'a', use: isAuthority ? 'authority' : 'client' })
    if (isAuthority) saved.length = 0
    expect(await choosing).toMatchObject({ ok: false, error: { code: 'no-connection' } })
    expect([stored(), changed]).toEqual([NOTHING, []])
  },
)

test.each([
  ['no certificate', 'no-certificate', () => ['no certificate']],
  ['no private key', 'no-private-key', () => [pem('ada.pem')]],
  ['the private key of another certificate', 'key-mismatch', () => [pem('ada.pem'), pem('eve.key')]],
])('a file with %s is refused, and the former certificate stays', async (_what, code, files) => {
  const { handlers, choose, stored } = withHandlers()
  choose(...files())
  expect(await handlers.chooseCertificate(client)).toMatchObject({ ok: false, error: { code } })
  expect(stored()).toEqual(NOTHING)
  choose(pem('ada.pem'), pem('ada.key'))
  expect(await handlers.chooseCertificate(client)).toEqual({ ok: true, value: 'saved' })
  choose(...files())
  await handlers.chooseCertificate(client)
  expect(await handlers.listNetwork(undefined)).toMatchObject({ ok: true, value: [{ client: { subject: 'test' } }] })
})

test('an expired certificate is stored, and listed as expired', async () => {
  const { handlers, choose } = withHandlers()
  choose(pem('expired.pem'), pem('expired.key'))
  expect(await handlers.chooseCertificate(client)).toEqual({ ok: true, value: 'saved' })
  expect(await handlers.listNetwork(undefined)).toMatchObject({ ok: true, value: [{ client: { expired: true } }] })
})

test('an authority is stored for an account and removed again, but refused for the sample data and for an unknown account', async () => {
  const { handlers, choose, stored } = withHandlers()
  choose(authority)
  for (const connection of ['unknown', 's']) {
    const refused = await handlers.chooseCertificate({ connection, use: 'authority' })
    expect(refused).toMatchObject({ ok: false, error: { code: 'no-connection' } })
  }
  expect(await handlers.chooseCertificate({ connection: 'a', use: 'authority' })).toEqual({ ok: true, value: 'saved' })
  const shown = await handlers.listNetwork(undefined)
  expect(shown).toMatchObject({ value: [{ authorities: [{ subject: 'Private authority' }] }] })
  await handlers.removeCertificate({ connection: 'a', use: 'authority' })
  expect(stored()).toEqual(NOTHING)
})

test('a certificate authority of an account that is being added is shown, but not stored', async () => {
  const { handlers, choose, stored } = withHandlers()
  choose(authority)
  await handlers.chooseCertificate({ connection: DRAFT_CONNECTION_ID, use: 'authority' })
  expect(stored()).toEqual(NOTHING)
  expect(await handlers.getNewNetwork({ address: '' })).toMatchObject({ value: { route: null, authorities: [{}] } })
})

test('the route of the account that is being added is looked up only for the address that was checked', async () => {
  const { handlers, checked, routes } = withHandlers()
  checked.last = 'https://stats.example'
  for (const address of ['', 'secret.stats.example', 'stats.exampl'])
    expect(await handlers.getNewNetwork({ address })).toMatchObject({ value: { route: null } })
  expect(routes).toEqual([])
  const shown = await handlers.getNewNetwork({ address: 'stats.example' })
  expect(shown).toMatchObject({ value: { route: { kind: 'direct' } } })
  expect(routes).toEqual(['https://stats.example'])
})
