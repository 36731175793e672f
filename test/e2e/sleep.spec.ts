import { createServer, connect as dial, type AddressInfo, type Socket } from 'node:net'
import { expect } from './support/app.ts'
import { test } from './support/login.ts'
import { connect, saveWebsite, websiteRow } from './support/screens.ts'

/** A network on the way to a service: while it's `away` it takes what is sent, and it's never seen again. */
async function startNetwork(service: string) {
  const network = { away: false, swallowed: '', address: '', close: () => {} }
  const ends = new Set<Socket>()
  const server = createServer((here) => {
    const there = dial(Number(new URL(service).port), '127.0.0.1')
    for (const end of [here, there]) {
      ends.add(end)
      end.on('error', () => undefined)
      end.on('close', () => [here, there].forEach((each) => each.destroy()))
    }
    here.on('data', (chunk) => {
      if (network.away) network.swallowed += String(chunk)
      else there.write(chunk)
    })
    there.on('data', (chunk) => here.write(chunk))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  network.address = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
  network.close = () => {
    for (const end of ends) end.destroy()
    server.close()
  }
  return network
}

test('what is on its way when the computer goes to sleep isn’t waited for: it’s settled as soon as that wakes', async ({
  siteward: { page },
  login,
  service,
}) => {
  const network = await startNetwork(service.address)
  await connect(page, { address: network.address, apiKey: service.apiKey })
  await expect(websiteRow(page, service.store.all().at(-1)?.domain ?? '-')).toBeVisible()
  network.away = true
  await saveWebsite(page, 'asleep.example')
  await expect.poll(() => network.swallowed).toContain('POST /api/v1/websites')

  login.sleep()
  network.away = false
  login.wake()
  // Sooner than the time limit of a request, which that POST would have come to.
  await expect.poll(() => service.store.byDomain('asleep.example')).toBeTruthy()
  expect(service.store.requests().filter(({ method }) => method === 'POST')).toHaveLength(1)
  network.close()
})
