/**
 * The sample service behind a process of its own, so that what it takes isn't taken from those who are timed. Forked with
 * how many websites it has; tells where it is, `{ address, apiKey }`, and hears `{ delay }`, milliseconds added to each
 * page from here on. What it answered once it answers again at once, and a website that a page has told is updated here:
 * its own work is the same for all who ask, and little.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { startSampleService } from '../../src/main/sample/service.ts'

interface Answer {
  status: number
  headers: Record<string, string>
  body: string
}
type Website = Record<string, unknown>

const service = await startSampleService({ websites: Number(process.argv[2]), rate: 1_000_000 })
const known = new Map<string, Promise<Answer>>()
/** By id, as pages have told them and updates have changed them. */
const websites = new Map<string, Website>()
let delay = 0

const headers = {
  'content-type': 'application/json',
  'x-ratelimit-limit': '1000000',
  'x-ratelimit-remaining': '999999',
}

async function ask(path: string): Promise<Answer> {
  const answer = await fetch(service.address + path, {
    headers: { Accept: 'application/json', Authorization: `Bearer ${service.apiKey}` },
  })
  const body = JSON.parse((await answer.text()).replaceAll(service.address, address())) as { data?: unknown }
  if (Array.isArray(body.data)) body.data = (body.data as Website[]).map(asTold)
  return { status: answer.status, headers, body: JSON.stringify(body) }
}

function asTold(website: Website): Website {
  const id = String(website['id'])
  if (!websites.has(id)) websites.set(id, website)
  return websites.get(id) ?? website
}

/** As the service does: what is given, all of it numbers, and when. */
async function update(request: IncomingMessage): Promise<Answer> {
  const form = new URLSearchParams(await text(request))
  const website = websites.get(request.url?.split('/').at(-1) ?? '')
  if (website === undefined) return { status: 404, headers, body: '{"status":404}' }
  for (const [name, value] of form) website[name] = Number(value)
  website['updated_at'] = new Date().toISOString()
  // Its page tells it anew.
  known.clear()
  return { status: 200, headers, body: JSON.stringify({ data: website, status: 200 }) }
}

const server = createServer((request, response) => {
  const end = ({ status, headers, body }: Answer) => void response.writeHead(status, headers).end(body)
  if (request.method === 'PUT') return void update(request).then(end)
  const path = request.url ?? '/'
  const answer = known.get(path) ?? ask(path)
  known.set(path, answer)
  void answer.then((page) => setTimeout(() => end(page), delay))
})
const address = (): string => `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`

server.listen(0, '127.0.0.1', () => process.send?.({ address: address(), apiKey: service.apiKey }))
process.on('message', (told: { delay: number }) => (delay = told.delay))
process.on('disconnect', () => process.exit())
