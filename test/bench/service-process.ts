/**
 * The sample service behind a process of its own, so that what it takes isn't taken from those who are timed. Forked with
 * how many websites it has; tells where it is, `{ address, apiKey }`, and hears `{ delay }`, milliseconds added to each
 * answer from here on. What it answered once it answers again at once: its own work is the same for all who ask.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startSampleService } from '../../src/main/sample/service.ts'

const service = await startSampleService({ websites: Number(process.argv[2]), rate: 1_000_000 })
const known = new Map<string, Promise<{ status: number; headers: Record<string, string>; body: string }>>()
let delay = 0

async function ask(path: string) {
  const answer = await fetch(service.address + path, {
    headers: { Accept: 'application/json', Authorization: `Bearer ${service.apiKey}` },
  })
  const headers = {
    'content-type': 'application/json',
    'x-ratelimit-limit': '1000000',
    'x-ratelimit-remaining': '999999',
  }
  return { status: answer.status, headers, body: (await answer.text()).replaceAll(service.address, address()) }
}

const server = createServer((request, response) => {
  const path = request.url ?? '/'
  const answer = known.get(path) ?? ask(path)
  known.set(path, answer)
  void answer.then(({ status, headers, body }) => {
    setTimeout(() => response.writeHead(status, headers).end(body), delay)
  })
})
const address = (): string => `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`

server.listen(0, '127.0.0.1', () => process.send?.({ address: address(), apiKey: service.apiKey }))
process.on('message', (told: { delay: number }) => (delay = told.delay))
process.on('disconnect', () => process.exit())
