import { execFileSync, spawnSync } from 'node:child_process'
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inProject, projectNode, root } from '../../scripts/setup/project.mjs'
import type { AppUpdate } from '../../src/shared/update.ts'
import { expect, test as base } from './support/app.ts'
import { addDriver, packThrowaway, startPackage, type RunningPackage, type Throwaway } from './support/throwaway.ts'

base.skip(process.platform !== 'linux', 'an AppImage is the only package that a test can install without signing it')

const pem = ({ privateKey }: { privateKey: KeyObject }): string =>
  privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const releaseKey = pem(generateKeyPairSync('ed25519'))
const otherKey = pem(generateKeyPairSync('ed25519'))

/** The contents of the AppImages: the released one, and the one that is installed before. */
const NEW_IMAGE = '#!/bin/sh\nexit 0\n'
const OLD_IMAGE = 'this version'

let folder: string
let server: Server
let feed: Record<string, string>
let requested: string[]
let packed: Throwaway

base.beforeAll(async () => {
  base.setTimeout(180_000)
  folder = mkdtempSync(join(tmpdir(), 'siteward-feed-'))
  const names = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=feed', '-addext', 'subjectAltName=IP:127.0.0.1']
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  execFileSync('openssl', ['req', '-x509', ...kind, ...subject, ...names], { stdio: 'pipe' })
  const credentials = { key: readFileSync(names[1] ?? ''), cert: readFileSync(names[3] ?? '') }
  server = createServer(credentials, ({ url = '' }, response) => {
    const name = url.slice(1).replace(/\?.*/, '')
    requested.push(name)
    const body = feed[name]
    response.writeHead(body === undefined ? 404 : 200).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `https://127.0.0.1:${String((server.address() as AddressInfo).port)}/`
  packed = packThrowaway(folder, { SITEWARD_UPDATE_FEED: url, SITEWARD_RELEASE_KEY: releaseKey })
  // electron-builder writes this file only beside an installer.
  const config = `provider: generic\nurl: ${url}\nupdaterCacheDirName: siteward-updater\n`
  writeFileSync(join(packed.folder, 'resources', 'app-update.yml'), config)
  await addDriver(packed)
})
base.afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true })
})
base.beforeEach(() => {
  feed = {}
  requested = []
})

/** Puts a release into the feed, signed as `npm run dist` signs it (null: not signed). Its checksum always fits the file. */
function publish(version: string, key: string | null): void {
  const release = mkdtempSync(join(folder, 'release-'))
  const sha512 = createHash('sha512').update(NEW_IMAGE).digest('base64')
  const file = `  - url: Siteward.AppImage\n    sha512: ${sha512}\n    size: ${String(NEW_IMAGE.length)}\n`
  const path = join(release, 'latest-linux.yml')
  writeFileSync(path, `version: ${version}\nfiles:\n${file}path: Siteward.AppImage\nsha512: ${sha512}\n`)
  if (key !== null) {
    execFileSync(projectNode, ['--no-warnings', inProject('scripts', 'release', 'sign.ts'), release], {
      cwd: root,
      env: { ...process.env, SITEWARD_RELEASE_KEY: key },
    })
  }
  feed = { 'latest-linux.yml': readFileSync(path, 'utf8'), 'Siteward.AppImage': NEW_IMAGE }
}

interface Installed extends RunningPackage {
  check(): Promise<AppUpdate>
  download(): Promise<void>
  state(): Promise<AppUpdate>
  image(): string
  downloaded(): string[]
}

const test = base.extend<{ installed: Installed }>({
  installed: async ({ userData, keychain }, use) => {
    const own = mkdtempSync(join(folder, 'installed-'))
    const cache = join(own, 'cache')
    mkdirSync(cache)
    const appImage = join(own, 'Siteward.AppImage')
    writeFileSync(appImage, OLD_IMAGE)
    const env = { ...keychain, APPIMAGE: appImage, APPDIR: packed.folder, XDG_CACHE_HOME: cache }
    const running = await startPackage(packed, { userData, env })
    const value = async (call: string): Promise<unknown> =>
      (await running.page<{ value: unknown }>(`siteward.${call}`)).value
    await use({
      ...running,
      check: async () => (await value('checkForUpdate()')) as AppUpdate,
      download: async () => void (await value('downloadUpdate()')),
      state: async () => ((await value('getState()')) as { update: AppUpdate }).update,
      image: () => readFileSync(appImage, 'utf8'),
      downloaded: () =>
        readdirSync(cache, { recursive: true, encoding: 'utf8' })
          .filter((name) => name.endsWith('.AppImage'))
          .map((name) => join(cache, name)),
    })
    await running.quit()
  },
})

test('beside the packages are a bill of materials and checksums that the release key signed', () => {
  const dist = join(packed.folder, '..')
  const names = readdirSync(dist)
  const bill = JSON.parse(readFileSync(join(dist, names.find((name) => name.endsWith('.cdx.json')) ?? ''), 'utf8')) as {
    bomFormat: string
    components: { purl: string }[]
    metadata: { component: { name: string } }
  }
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'siteward' } } })
  const { packages } = JSON.parse(readFileSync(inProject('package-lock.json'), 'utf8')) as { packages: object }
  expect(bill.components.length).toBeGreaterThan(Object.keys(packages).length / 2)
  expect(bill.components.map(({ purl }) => purl)).toContainEqual(expect.stringMatching(/^pkg:npm\/better-sqlite3@/))

  execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: dist, stdio: 'pipe' })
  expect(readFileSync(join(dist, 'SHA256SUMS'), 'utf8')).toContain('.cdx.json')
  const verify = (key: string): unknown => {
    writeFileSync(join(folder, 'public.pem'), createPublicKey(key).export({ type: 'spki', format: 'pem' }))
    const given = ['-rawin', '-pubin', '-inkey', join(folder, 'public.pem')]
    const files = ['-in', 'SHA256SUMS', '-sigfile', 'SHA256SUMS.sig']
    return spawnSync('openssl', ['pkeyutl', '-verify', ...given, ...files], { cwd: dist }).status
  }
  expect(verify(releaseKey)).toBe(0)
  expect(verify(otherKey)).not.toBe(0)
})

test('installs a newer release that the release key signed', async ({ installed }) => {
  publish('9.0.0', releaseKey)
  expect(await installed.check()).toEqual({ state: 'found', version: '9.0.0', error: null })
  await installed.download()
  await expect.poll(installed.state).toEqual({ state: 'ready', version: '9.0.0' })
  expect(installed.image()).toBe(OLD_IMAGE)
  await installed.quit()
  expect(installed.image()).toBe(NEW_IMAGE)
})

for (const [defect, key] of [
  ['is signed with another key', otherKey],
  ['is not signed', null],
] as const) {
  test(`does not offer a release that ${defect}, though its checksums fit`, async ({ installed }) => {
    publish('9.0.0', key)
    expect(await installed.check()).toEqual({ state: 'none', error: 'update-unverified' })
    await installed.download()
    expect(requested).not.toContain('Siteward.AppImage')
    await installed.quit()
    expect(installed.image()).toBe(OLD_IMAGE)
  })
}

test('does not offer a release whose version was changed after it was signed', async ({ installed }) => {
  publish('0.0.9', releaseKey)
  feed['latest-linux.yml'] = feed['latest-linux.yml']?.replace('version: 0.0.9', 'version: 9.0.0') ?? ''
  expect(await installed.check()).toEqual({ state: 'none', error: 'update-unverified' })
})

test('does not offer an older release that the release key signed', async ({ installed }) => {
  publish('0.0.9', releaseKey)
  expect(await installed.check()).toEqual({ state: 'none', error: null })
})

test('downloads nothing if the release was replaced after it was offered', async ({ installed }) => {
  publish('9.0.0', releaseKey)
  await installed.check()
  publish('9.1.0', otherKey)
  await installed.check()
  await installed.download()
  await expect.poll(installed.state).toEqual({ state: 'found', version: '9.0.0', error: 'update-unverified' })
  expect(requested).not.toContain('Siteward.AppImage')
})

test('does not install a file that was replaced after it was verified', async ({ installed }) => {
  publish('9.0.0', releaseKey)
  await installed.check()
  await installed.download()
  await expect.poll(installed.state).toEqual({ state: 'ready', version: '9.0.0' })
  expect(installed.downloaded()).toHaveLength(1)
  for (const file of installed.downloaded()) writeFileSync(file, '#!/bin/sh\necho replaced\n')
  await installed.quit()
  expect(installed.image()).toBe(OLD_IMAGE)
})
