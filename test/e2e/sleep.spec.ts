import { createServer, connect as dial, type AddressInfo, type Socket } from 'node:net'
import { expect } from './support/app.ts'
import { test } from './support/login.ts'
import { connect, saveWebsite, websiteRow } from './support/screens.ts'

/** A network to the service. While it is `away`, it accepts bytes and drops them. */
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

test('a request that is in flight when the computer sleeps is settled as soon as it wakes', async ({
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
  // This is sooner than the time limit of the lost POST.
  await expect.poll(() => service.store.byDomain('asleep.example')).toBeTruthy()
  expect(service.store.requests().filter(({ method }) => method === 'POST')).toHaveLength(1)
  network.close()
})
