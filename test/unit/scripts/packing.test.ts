import { expect, test, vi } from 'vitest'

/** How it's packed, where the builder is told of this feed. */
async function configuredFor(feed: string) {
  vi.stubEnv('SITEWARD_UPDATE_FEED', feed)
  vi.resetModules()
  return (await import('../../../electron-builder.config.mjs')).default
}

const FEED = 'https://updates.example/siteward'

test('what looks for newer versions is packed where there’s a feed to ask, and not elsewhere', async () => {
  const without = (await configuredFor('')).linux?.files
  expect(without).toContain('!out/main/chunks/updater-*')
  expect((await configuredFor(FEED)).linux?.files).toEqual(
    (without as string[]).filter((file) => file !== '!out/main/chunks/updater-*'),
  )
})

test('a build with a feed tells where it is, and has to be signed', async () => {
  expect(await configuredFor(FEED)).toMatchObject({
    publish: { provider: 'generic', url: FEED },
    forceCodeSigning: true,
  })
  expect(await configuredFor('')).toMatchObject({ publish: null, forceCodeSigning: false })
})

test('newer versions are never fetched unencrypted', async () => {
  await expect(configuredFor('http://updates.example/siteward')).rejects.toThrow('https://')
})
