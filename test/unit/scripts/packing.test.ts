import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { FALLBACK_MARK } from '../../../scripts/runtime/fallback.mjs'

const releaseKey = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string

async function configuredFor(feed: string, key = releaseKey) {
  vi.stubEnv('SITEWARD_UPDATE_FEED', feed)
  vi.stubEnv('SITEWARD_RELEASE_KEY', key)
  vi.resetModules()
  return (await import('../../../electron-builder.config.mjs')).default
}

const FEED = 'https://updates.example/siteward'

test('packs the updater only in a build with a feed', async () => {
  const without = (await configuredFor('')).linux?.files
  expect(without).toContain('!out/main/chunks/updater-*')
  expect((await configuredFor(FEED)).linux?.files).toEqual(
    (without as string[]).filter((file) => file !== '!out/main/chunks/updater-*'),
  )
})

test('a build with a feed contains its address and must be signed', async () => {
  expect(await configuredFor(FEED)).toMatchObject({
    publish: { provider: 'generic', url: FEED },
    forceCodeSigning: true,
  })
  expect(await configuredFor('')).toMatchObject({ publish: null, forceCodeSigning: false })
})

test('a build with a feed is refused without the release key', async () => {
  await expect(configuredFor(FEED, '')).rejects.toThrow('SITEWARD_RELEASE_KEY')
})

test('the launcher shows its texts in every language', async () => {
  const { desktop } = (await configuredFor('')).deb ?? {}
  expect(desktop?.desktopActions?.['add-website']).toMatchObject({
    Name: 'Add Website',
    'Name[de]': 'Website hinzufügen',
    'Name[ja]': 'Webサイトを追加',
  })
  expect(Object.keys(desktop?.entry ?? {})).toEqual(
    expect.arrayContaining(['Comment[de]', 'Comment[es]', 'Comment[fr]', 'Comment[ja]']),
  )
})

test('a build is refused if its feed is not https', async () => {
  await expect(configuredFor('http://updates.example/siteward')).rejects.toThrow('https://')
})

test('the development fallback of Electron is never packaged', async () => {
  const { afterPack } = await configuredFor('')
  const appOutDir = mkdtempSync(join(tmpdir(), 'siteward-packing-'))
  const pack = async (): Promise<unknown> =>
    typeof afterPack === 'function' ? afterPack({ appOutDir } as Parameters<typeof afterPack>[0]) : undefined
  try {
    await expect(pack()).resolves.toBeUndefined()
    writeFileSync(join(appOutDir, FALLBACK_MARK), '')
    await expect(pack()).rejects.toThrow('must not be packaged')
  } finally {
    rmSync(appOutDir, { recursive: true })
  }
})
