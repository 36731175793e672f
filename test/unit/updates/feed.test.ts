import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hasUpdateFeed, type Installation } from '../../../src/main/updates/feed.ts'

/** The content of the file that electron-builder writes. */
const FEED = 'provider: generic\nurl: https://updates.example/siteward\nupdaterCacheDirName: siteward-updater\n'
/** The same file in a build for Windows. It names the publisher. */
const SIGNED = `${FEED}publisherName:\n  - CN=Siteward\n`
/** The environment of an app that runs from its own AppImage. */
const IMAGE = { APPIMAGE: '/home/a/Siteward.AppImage', APPDIR: '/tmp/.mount_a' }

let resources: string
beforeEach(() => (resources = mkdtempSync(join(tmpdir(), 'siteward-feed-'))))
afterEach(() => rmSync(resources, { recursive: true }))

const write = (name: string, text: string): void => writeFileSync(join(resources, name), text)
/** Returns whether an installation uses its feed. Without `change`, it is a packaged AppImage on Linux. */
const canUpdate = (change: Partial<Installation>): boolean =>
  hasUpdateFeed({
    isPackaged: true,
    resources,
    program: '/tmp/.mount_a/siteward',
    platform: 'linux',
    env: IMAGE,
    ...change,
  })

test.each([
  ['darwin', FEED],
  ['win32', SIGNED],
  ['linux', FEED],
] as const)('an installation on %s that was built with a feed uses it', (platform, text) => {
  write('app-update.yml', text)
  expect(canUpdate({ platform })).toBe(true)
})

test('a build without a feed cannot update itself, and neither can a development build with a feed', () => {
  expect(canUpdate({})).toBe(false)
  write('app-update.yml', FEED)
  expect(canUpdate({ isPackaged: false })).toBe(false)
})

test.each([FEED.replace('https', 'http'), FEED.replace('generic', 's3'), '', '\u0000', 'url: https://a.example'])(
  'a feed that says %j counts as none',
  (text) => {
    write('app-update.yml', text)
    expect(canUpdate({ platform: 'darwin' })).toBe(false)
  },
)

test('on Windows, a feed that names no publisher is not used, as no update could be verified', () => {
  write('app-update.yml', FEED)
  expect(canUpdate({ platform: 'win32' })).toBe(false)
})

test.each([{}, { APPIMAGE: IMAGE.APPIMAGE }, { ...IMAGE, APPDIR: '/tmp/.mount_other' }])(
  'on Linux, an app that doesn’t run from its own AppImage (%j) is left to the package manager',
  (env) => {
    write('app-update.yml', FEED)
    expect(canUpdate({ env })).toBe(false)
  },
)

test('a deb that was started from within an AppImage doesn’t replace that AppImage', () => {
  write('app-update.yml', FEED)
  write('package-type', 'deb')
  expect(canUpdate({})).toBe(false)
})
