import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readClientCertificate, type LoadedClientCertificate } from '../../../src/main/network/certificate-files.ts'
import { createConnectionCertificates, DRAFT_CONNECTION_ID } from '../../../src/main/network/identities.ts'
import { Secret } from '../../../src/main/secrets/secret.ts'
import { useRig } from '../connection/rig.ts'
import { makeCertificates } from '../service/certificates.ts'
import { client, dispatching } from '../service/host.ts'
import { memoryKeychain } from './keychain.ts'

const { authority, demandingHost, p12, pem, sign } = makeCertificates()
sign('ada', 'DNS:ada.example', '2')
sign('eve', 'DNS:eve.example', '2')
const PASSPHRASE = 'certificate-passphrase'

const must = <T>(result: { ok: true; value: T } | { ok: false; error: { code: string } }): T => {
  if (!result.ok) throw new Error(result.error.code)
  return result.value
}
const asP12 = (name = 'ada'): LoadedClientCertificate =>
  must(readClientCertificate([p12(name, PASSPHRASE)], new Secret(PASSPHRASE)))
const asPem = (name = 'ada'): LoadedClientCertificate =>
  must(readClientCertificate([Buffer.from(pem(`${name}.pem`) + pem(`${name}.key`))], null))

/** `restart` returns the certificates as after a restart. `content` returns the text of all files. */
function inFolder(options?: { missing?: boolean; timeLimit?: number }) {
  const folder = mkdtempSync(join(tmpdir(), 'siteward-network-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const { keychain, entries, reads, holdWrites } = memoryKeychain(options)
  const restart = () =>
    createConnectionCertificates({ keychain, fileOf: (of) => join(folder, `${of}.json`), now: () => Date.now() })
  const content = () =>
    readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('\n')
  return { folder, entries, reads, holdWrites, restart, identities: restart(), content }
}

test.each([
  ['PKCS#12', asP12],
  ['PEM', asPem],
])(
  'a client certificate (%s) is used after a restart, and its passphrase is only in the keychain',
  async (_format, load) => {
    const { folder, entries, identities, restart, content } = inFolder()
    const read = load()
    expect(await identities.setClient('a', read)).toEqual({ ok: true, value: 'keychain' })
    expect(await identities.setAuthorities('a', [authority])).toEqual({ ok: true, value: 'keychain' })
    const passphrase = read.client.passphrase.reveal()
    expect(entries.get('a:client-certificate')).toBe(passphrase)
    expect(content()).not.toContain(passphrase)
    expect(content()).not.toContain('BEGIN PRIVATE KEY')
    expect(statSync(join(folder, 'a.json')).mode & 0o777).toBe(0o600)

    const again = restart()
    expect(again.view('a')).toMatchObject({
      client: { subject: 'test' },
      authorities: [{ subject: 'Private authority' }],
    })
    const { address } = await demandingHost('TLSv1.3')
    const service = client({ address, dispatcher: dispatching(), identity: () => again.load('a') })
    await expect(service.get('7')).resolves.toMatchObject({ outcome: 'applied' })
  },
)

test('a client certificate keeps its passphrase if the file of its replacement can’t be written', async () => {
  const { folder, entries, identities } = inFolder()
  const former = asPem()
  await identities.setClient('a', former)
  rmSync(folder, { recursive: true })
  const replaced = await identities.setClient('a', asPem('eve'))
  mkdirSync(folder)
  expect(replaced).toMatchObject({ ok: false, error: { code: 'storage' } })
  expect(entries.get('a:client-certificate')).toBe(former.client.passphrase.reveal())
})

test('a client certificate stays usable if the keychain stores the passphrase of its replacement only after the time limit', async () => {
  const { entries, identities, restart, holdWrites } = inFolder({ timeLimit: 20 })
  const former = asPem()
  await identities.setClient('a', former)
  const release = holdWrites()
  expect(await identities.setClient('a', asPem('eve'))).toMatchObject({ error: { code: 'keychain-timeout' } })
  release()
  await vi.waitFor(() => expect(entries.size).toBe(2))
  const again = restart()
  await expect(again.load('a')).resolves.toMatchObject({ client: former.client })
  expect((await again.setClient('a', asPem('eve'))).ok).toBe(true)
  expect(entries.size).toBe(1)
  await expect(restart().load('a')).resolves.toMatchObject({ client: { format: 'pem' } })
})

test('removing certificates deletes the file and the keychain’s entry', async () => {
  const { folder, entries, identities } = inFolder()
  await identities.setClient('a', asP12())
  await identities.setAuthorities('a', [authority])
  expect((await identities.setClient('a', null)).ok).toBe(true)
  expect(identities.view('a')).toMatchObject({ client: null, authorities: [{}] })
  await identities.setAuthorities('a', [])
  expect([readdirSync(folder), [...entries.keys()]]).toEqual([[], []])
  await expect(identities.load('a')).resolves.toBeNull()
})

test('without a keychain, a client certificate is kept in memory until the app ends', async () => {
  const { folder, identities, restart } = inFolder({ missing: true })
  expect(await identities.setClient('a', asP12())).toEqual({ ok: true, value: 'run' })
  await expect(identities.load('a')).resolves.toMatchObject({ client: { format: 'p12' } })
  expect(readdirSync(folder)).toEqual([])
  expect(restart().view('a').client).toBeNull()
})

test('removing a client certificate that is only in memory keeps the additional authorities', async () => {
  const { identities } = inFolder({ missing: true })
  await identities.setClient('a', asP12())
  await identities.setAuthorities('a', [authority])
  expect((await identities.setClient('a', null)).ok).toBe(true)
  await expect(identities.load('a')).resolves.toEqual({ authorities: [authority], client: null })
})

test('if the passphrase is gone from the keychain, loading the client certificate fails with a single read of the keychain, and the certificate can be set again', async () => {
  const { entries, reads, identities, restart } = inFolder()
  await identities.setClient('a', asP12())
  entries.clear()
  const again = restart()
  for (let n = 0; n < 3; n++) await expect(again.load('a')).rejects.toMatchObject({ code: 'client-certificate' })
  expect(reads).toEqual(['a:client-certificate'])
  expect((await identities.setClient('a', asP12())).ok).toBe(true)
  await expect(restart().load('a')).resolves.toMatchObject({ client: { format: 'p12' } })
})

test('the certificates of an account that is being added are only in memory until the account is added', async () => {
  const { folder, entries, identities } = inFolder()
  await identities.setClient(DRAFT_CONNECTION_ID, asP12())
  await identities.setAuthorities(DRAFT_CONNECTION_ID, [authority])
  expect([readdirSync(folder), entries.size]).toEqual([[], 0])
  expect((await identities.adoptDraft('a', 'keychain')).ok).toBe(true)
  expect(readdirSync(folder)).toEqual(['a.json'])
  expect(identities.view(DRAFT_CONNECTION_ID)).toEqual({ client: null, authorities: [] })
  await expect(identities.load('a')).resolves.toMatchObject({ authorities: [authority], client: { format: 'p12' } })
})

const rig = useRig()

test('an account is added with a client certificate, which is deleted with the account', async () => {
  const { address } = await demandingHost('TLSv1.3')
  const { connections, identities, folder, keys } = rig()
  const connect = () => connections.connect(address, new Secret('key'), 'keychain')
  await identities.setAuthorities(DRAFT_CONNECTION_ID, [authority])
  expect(await connect()).toMatchObject({ ok: false, error: { code: 'client-certificate' } })
  expect(readdirSync(folder).filter((name) => name.includes('network'))).toEqual([])

  await identities.setClient(DRAFT_CONNECTION_ID, asP12())
  const added = must(await connect())
  expect(readdirSync(folder)).toContain(`${added.id}.db.network.json`)
  expect(keys.stored.has(`${added.id}:client-certificate`)).toBe(true)

  expect((await connections.remove(added.id, 0)).ok).toBe(true)
  expect(readdirSync(folder).filter((name) => name.startsWith(added.id))).toEqual([])
  expect([...keys.stored.keys()]).toEqual([])
  await expect(identities.load(added.id)).resolves.toBeNull()
})
