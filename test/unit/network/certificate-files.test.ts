import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  describeCertificate,
  readAuthorities,
  readClientCertificate,
} from '../../../src/main/network/certificate-files.ts'
import { Secret } from '../../../src/main/secrets/secret.ts'
import { makeCertificates } from '../service/certificates.ts'

const { authority, folder, openssl, p12, pem, sign } = makeCertificates()
sign('ada', 'DNS:ada.example', '2')
sign('other-client', 'DNS:other.example', '2')
openssl('x509', '-in', 'ada.pem', '-outform', 'DER', '-out', 'ada.der')
openssl('pkcs8', '-topk8', '-in', 'ada.key', '-out', 'ada.sealed.key', '-passout', 'pass:open')
openssl('pkcs12', '-export', '-nokeys', '-in', 'ada.pem', '-out', 'no-key.p12', '-passout', 'pass:')

const file = (name: string): Uint8Array => readFileSync(join(folder, name))
const error = (code: string) => ({ ok: false, error: { code, message: '' } })
const open = new Secret('open')

describe('a client certificate', () => {
  test('is read from a PKCS#12 file with its passphrase', () => {
    const read = readClientCertificate([p12('ada', 'open')], open)
    expect(read).toMatchObject({ ok: true, value: { client: { format: 'p12' }, certificate: pem('ada.pem') } })
  })

  test.each([
    ['one file', () => [Buffer.concat([file('ada.key'), file('ada.pem')])]],
    ['two files', () => [file('ada.key'), file('ada.pem')]],
    ['a file with its issuer first', () => [Buffer.concat([file('authority.pem'), file('ada.pem'), file('ada.key')])]],
  ])('is read from PEM in %s, and its key is encrypted', (_where, files) => {
    const read = readClientCertificate(files(), null)
    expect(read).toMatchObject({ ok: true, value: { client: { format: 'pem' }, certificate: pem('ada.pem') } })
    const kept = JSON.stringify(read)
    expect(kept).toContain('BEGIN ENCRYPTED PRIVATE KEY')
    expect(kept).not.toContain('BEGIN PRIVATE KEY')
  })

  test('is read from PEM with an encrypted key', () => {
    const files = [file('ada.pem'), file('ada.sealed.key')]
    expect(readClientCertificate(files, open)).toMatchObject({ ok: true })
    expect(readClientCertificate(files, null)).toEqual(error('wrong-passphrase'))
    expect(readClientCertificate(files, new Secret('wrong'))).toEqual(error('wrong-passphrase'))
  })

  test('in a PKCS#12 file is refused with a wrong passphrase or none', () => {
    expect(readClientCertificate([p12('ada', 'open')], new Secret('wrong'))).toEqual(error('wrong-passphrase'))
    expect(readClientCertificate([p12('ada', 'open')], null)).toEqual(error('wrong-passphrase'))
  })

  test.each(['CERTIFICATE', 'PRIVATE KEY'])(
    'is refused within a second if its file has 37,000 beginnings of a %s',
    (label) => {
      const files = [file('ada.pem'), Buffer.from(`-----BEGIN ${label}-----\n`.repeat(37_000))]
      const began = performance.now()
      expect(readClientCertificate(files, null)).toEqual(error('no-private-key'))
      expect(performance.now() - began).toBeLessThan(1000)
    },
  )

  test.each([
    ['a text without a certificate', () => [Buffer.from('no certificate')], 'no-certificate'],
    ['an empty file', () => [Buffer.from('')], 'no-certificate'],
    ['a private key alone', () => [file('ada.key')], 'no-certificate'],
    [
      'a damaged certificate',
      () => [Buffer.from(`${pem('ada.pem').replace('MII', 'AAA')}${pem('ada.key')}`)],
      'no-certificate',
    ],
    ['PEM without its key', () => [file('ada.pem')], 'no-private-key'],
    ['DER without its key', () => [file('ada.der')], 'no-private-key'],
    ['PKCS#12 without its key', () => [file('no-key.p12')], 'no-private-key'],
    ['the key of another certificate', () => [file('ada.pem'), file('other-client.key')], 'key-mismatch'],
  ])('is refused from %s', (_what, files, code) => {
    expect(readClientCertificate(files(), null)).toEqual(error(code))
  })
})

describe('authorities', () => {
  test('are read from PEM and DER, each once, without a private key beside them', () => {
    const bundle = Buffer.from(`${authority}\n${pem('authority.key')}\n${pem('ada.pem')}`)
    expect(readAuthorities([bundle, file('ada.der')])).toEqual({ ok: true, value: [authority, pem('ada.pem')] })
  })

  test.each(['', 'no certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'])(
    'are refused from a file that has none: %j',
    (text) => expect(readAuthorities([Buffer.from(text)])).toEqual(error('no-certificate')),
  )
})

test('a certificate is shown by its names and its last day, and as expired afterwards', () => {
  const shown = describeCertificate(pem('ada.pem'), Date.now())
  expect(shown).toMatchObject({ subject: 'test', issuer: 'Private authority', expired: false })
  expect((shown?.until ?? 0) - Date.now()).toBeGreaterThan(86_400_000)
  expect(describeCertificate(pem('expired.pem'), Date.now())).toMatchObject({ expired: true })
  expect(describeCertificate('no certificate', 0)).toBeNull()
})
