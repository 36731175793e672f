import { spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inProject, projectNode } from '../../../scripts/setup/project.mjs'
import { readReleaseKey } from '../../../src/main/updates/signature.ts'

const ed25519 = generateKeyPairSync('ed25519')
const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pem = (pair: typeof ed25519): string => pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

/** Reads the build configuration as electron-builder does. Returns the output or the error. */
function configured(env: Record<string, string>): string {
  const code = `console.log(JSON.stringify((await import(process.argv[1])).default.extraMetadata ?? null))`
  const args = ['--input-type=module', '-e', code, inProject('electron-builder.config.mjs')]
  const { stdout, stderr } = spawnSync(projectNode, args, { env, encoding: 'utf8' })
  return stdout + stderr
}
const SITEWARD_UPDATE_FEED = 'https://updates.example/'

test('a build with a feed is refused without the release key, or with a key of another kind', () => {
  expect(configured({ SITEWARD_UPDATE_FEED })).toContain('needs SITEWARD_RELEASE_KEY')
  expect(configured({ SITEWARD_UPDATE_FEED, SITEWARD_RELEASE_KEY: pem(elliptic) })).toContain(
    'has to be an Ed25519 key',
  )
})

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'siteward-key-'))))
afterEach(() => rmSync(folder, { recursive: true }))

test('the app reads the public key that a build wrote into package.json', () => {
  writeFileSync(join(folder, 'package.json'), configured({ SITEWARD_UPDATE_FEED, SITEWARD_RELEASE_KEY: pem(ed25519) }))
  expect(readReleaseKey(folder)?.equals(ed25519.publicKey)).toBe(true)
})

test.each(['{}', '{"releaseKey":"AAAA"}', 'no JSON'])('a package.json with %j has no release key', (text) => {
  writeFileSync(join(folder, 'package.json'), text)
  expect(readReleaseKey(folder)).toBeNull()
})

test('a public key of another kind is not a release key', () => {
  const releaseKey = elliptic.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ releaseKey }))
  expect(readReleaseKey(folder)).toBeNull()
})
