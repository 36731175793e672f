import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, sharedTest as base } from './support/app.ts'
import { planted } from './support/planted.ts'
import { connectForm } from './support/screens.ts'

interface Host {
  address: string
  /** The Authorization header of each request; null: it had none. */
  received: (string | null)[]
}

const test = base.extend<{ host: Host }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs from this pattern
  host: async ({}, use) => {
    const received: (string | null)[] = []
    const server: Server = createServer(({ headers }, response) => {
      received.push(headers.authorization ?? null)
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"message":"Unauthenticated."}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    await use({ address: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, received })
    server.closeAllConnections()
    server.close()
  },
})

test('sends the key to the typed address only when Connect is pressed', async ({ siteward: { app, page }, host }) => {
  await connectForm(page)
  const address = page.getByLabel('Service address')
  const apiKey = page.getByLabel('API key', { exact: true })
  await address.fill(host.address)
  await app.evaluate(({ clipboard }, text) => clipboard.writeText(text), planted.apiKey)
  await apiKey.focus()
  await page.keyboard.press('ControlOrMeta+V')
  await expect(apiKey).toHaveValue(planted.apiKey)
  await address.focus()
  await apiKey.focus()
  await address.focus()
  await expect.poll(() => host.received.length).toBeGreaterThan(0)
  expect(host.received.filter((authorization) => authorization !== null)).toEqual([])
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect.poll(() => host.received).toContain(`Bearer ${planted.apiKey}`)
})

test('contacts an address that the page names at most five times at once, and then once every five seconds', async ({
  page,
  host,
}) => {
  await connectForm(page)
  const codes = await page.evaluate(
    ({ address, apiKey }) =>
      Promise.all(
        Array.from({ length: 20 }, async (_, n) => {
          const requests = [
            () => window.siteward?.checkAddress({ address }),
            () => window.siteward?.connect({ address, apiKey, keep: 'run' }),
            () => window.siteward?.checkSetUp(),
            () => window.siteward?.replaceKey({ apiKey, keep: 'run' }),
          ]
          const answer = await requests[n % requests.length]?.()
          return answer?.ok === false ? answer.error.code : 'answered'
        }),
      ),
    { address: host.address, apiKey: 'a-key' },
  )
  expect(codes.filter((code) => code === 'rate-limited')).toHaveLength(15)
  // Without a connection, the check of the set-up and the new key make no request.
  expect(host.received.length).toBe(3)
  const next = await page.evaluate((address) => window.siteward?.checkAddress({ address }), host.address)
  expect(next).toMatchObject({ error: { code: 'rate-limited', retryAfter: 5 } })
})
