import { expect, test, vi } from 'vitest'

/** What is packed on Linux, where the builder is told of this feed. */
async function packed(feed: string): Promise<unknown> {
  vi.stubEnv('SITEWARD_UPDATE_FEED', feed)
  vi.resetModules()
  const { default: config } = await import('../../../electron-builder.config.mjs')
  return config.linux?.files
}

test('what looks for newer versions is packed where there’s a feed to ask, and not elsewhere', async () => {
  const without = await packed('')
  expect(without).toContain('!out/main/chunks/updater-*')
  expect(await packed('https://updates.example/siteward')).toEqual(
    (without as string[]).filter((file) => file !== '!out/main/chunks/updater-*'),
  )
})
