import { createServer, type Server } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Outcome } from '../../../src/main/service/outcome.ts'
import { neverSent } from '../../../src/main/service/request-errors.ts'
import { readRoutes } from '../../../src/main/service/proxy.ts'
import {
  connectErrorText,
  keyErrorText,
  errorText,
  inputMessages,
  technicalReason,
} from '../../../src/messages/errors.ts'
import { normalizeAddress } from '../../../src/shared/connection.ts'
import { errorCodes, type AppError } from '../../../src/shared/result.ts'
import { makeCertificates } from './certificates.ts'
import { always, client, dispatching, HTML, listening, startHost } from './host.ts'
import { deadPort, silentServer, startProxy } from './proxies.ts'

const { secureHost } = makeCertificates()

const ask = (address: string): Promise<Outcome<unknown>> => client({ address }).list({})
const outcomeOf = async (...answer: Parameters<typeof always>) => (await startHost(always(...answer))).service.list({})
const local = (port: number, scheme = 'http'): string => `${scheme}://127.0.0.1:${String(port)}`

async function rawly(serve: (server: Server) => void): Promise<Outcome<unknown>> {
  const server = createServer()
  serve(server)
  return ask(local(await listening(server)))
}

/** The fatal TLS alert “unexpected message”. */
const TLS_ALERT = Buffer.from([21, 3, 3, 0, 2, 2, 10])
/** Reads the list from a server that answers with these bytes and closes the connection. */
const says = (bytes: Buffer | string) =>
  rawly((server) => server.on('connection', (socket) => socket.once('data', () => socket.end(bytes))))

/** Reads the list from a server that never answers. The time limit is 100 ms. */
async function slowly(): Promise<Outcome<unknown>> {
  const { port } = await silentServer()
  return client({ address: local(port), limits: { request: 100 } }).list({})
}

/** Reads the list of stats.example, which does not exist, through the proxy of this PAC result. */
async function byProxy(pacResult: string, scheme = 'https'): Promise<Outcome<unknown>> {
  const dispatcher = dispatching({ routesTo: async () => readRoutes(pacResult) })
  return client({ address: `${scheme}://stats.example`, dispatcher }).list({})
}

async function refusedByProxy(status: number): Promise<Outcome<unknown>> {
  const { pacResult } = await startProxy({ refusal: `HTTP/1.1 ${String(status)} No\r\nContent-Length: 0\r\n\r\n` })
  return byProxy(pacResult)
}

const json = (message: unknown) => ({ message })
/** Returns some kilobytes of gzip that unpack to 16 MiB. */
const bomb = () => gzipSync('x'.repeat(16 * 1024 * 1024))

/** The errors that may occur when a user connects. The patterns match the texts that say what is wrong and what to do. */
const situations: [string, () => Promise<Outcome<unknown>>, problem: RegExp, advice: RegExp][] = [
  ['nothing listens', async () => ask(local(await deadPort())), /Couldn’t reach/, /address.*network/],
  ['a name that can’t be resolved', () => ask('https://stats.invalid'), /find this server/, /address.*network/],
  [
    'a private authority',
    async () => ask((await secureHost()).address),
    /certificate/,
    /add its certificate authority/,
  ],
  ['an expired certificate', async () => ask((await secureHost('expired')).address), /certificate/, /renew/],
  [
    'https to a server that speaks http',
    async () => ask((await startHost(always(200))).origin.replace('http:', 'https:')),
    /connect securely/,
    /http:\/\//,
  ],
  ['a proxy that isn’t there', async () => byProxy(`PROXY 127.0.0.1:${String(await deadPort())}`), /proxy/, /settings/],
  ['a proxy that refuses', () => refusedByProxy(403), /proxy/, /administrator of the proxy/],
  ['a proxy that wants a password', () => refusedByProxy(407), /proxy.*password/, /Enter them/],
  ['a SOCKS 4 proxy', () => byProxy('SOCKS4 127.0.0.1:1080'), /type of proxy/, /HTTP.*SOCKS5/],
  ['no answer in time', slowly, /too long/, /again/],
  [
    'a connection that breaks off',
    () => rawly((server) => server.on('connection', (socket) => socket.once('data', () => socket.destroy()))),
    /interrupted/,
    /again/,
  ],
  [
    'http to a server that speaks https',
    async () => ask((await secureHost()).address.replace('https:', 'http:')),
    /interrupted/,
    /https:\/\//,
  ],
  ['http to a server that answers with a TLS alert', () => says(TLS_ALERT), /Couldn’t read/, /https:\/\//],
  ['http to an SSH server', () => says('SSH-2.0-OpenSSH_9.2\r\n'), /Couldn’t read/, /port/],
  [
    'an answer that isn’t encoded as it declares',
    () => outcomeOf(200, [], { 'Content-Encoding': 'gzip' }),
    /Couldn’t read/,
    /administrator of the service/,
  ],
  ['a page of a hotel', () => outcomeOf(200, HTML), /different service/, /sign in/],
  ['JSON of something else', () => outcomeOf(200, { status: 'ok' }), /different service/, /address/],
  ['half a list', () => outcomeOf(200, '{"data":[{"id":7,"dom'), /different service/, /address/],
  ['a list without end', () => outcomeOf(200, `{"data":"${'x'.repeat(9 * 1024 * 1024)}"}`), /too large/, /address/],
  [
    'a small answer that unpacks to a large one',
    async () =>
      (
        await startHost((_request, response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb()))
      ).service.list({}),
    /too large/,
    /address/,
  ],
  ['a redirect', () => outcomeOf(302, '', { Location: '/login' }), /redirects to another site/, /browser/],
  ['a key that is wrong', () => outcomeOf(401, json('Unauthenticated.')), /API key/, /copied all of it/],
  ['a plan without API', () => outcomeOf(403, json('No.')), /isn’t allowed/, /plan/],
  ['no such path', () => outcomeOf(404, json('Not found.')), /No service found/, /path/],
  ['a path of another site', () => outcomeOf(404, HTML), /different service/, /address/],
  ['a read that is refused for a field', () => outcomeOf(422, { message: { api: ['off'] } }), /rejected/, /address/],
  ['a refusal', () => outcomeOf(400, json('No.')), /rejected/, /key/],
  ['a request that is too long', () => outcomeOf(413, json('No.')), /rejected/, /administrator of the service/],
  ['too many requests', () => outcomeOf(429, json('No.'), { 'Retry-After': '90' }), /Too many requests/, /Wait 2\smin/],
  ['a failure', () => outcomeOf(500, json('Oops.')), /reported an error/, /again/],
  ['maintenance', () => outcomeOf(503, HTML), /maintenance/, /minutes/],
  [
    'a proxy before a dead service',
    () => outcomeOf(502, HTML),
    /temporarily unavailable/,
    /administrator of the service/,
  ],
  [
    'a proxy before a slow service',
    () => outcomeOf(504, HTML),
    /temporarily unavailable/,
    /administrator of the service/,
  ],
]

test.each(situations)('%s: shows what is wrong and what to do', async (_name, meet, problem, advice) => {
  const answer = await meet()
  if (answer.outcome === 'applied') return expect.unreachable()
  const text = connectErrorText(answer.error)
  expect(text.problem).toMatch(problem)
  expect(text.advice).toMatch(advice)
  // The details contain the status, unless the service says what to correct.
  const { status } = answer.error
  if (status !== undefined && inputMessages(answer.error).length === 0) {
    expect(technicalReason(answer.error).join()).toContain(`HTTP status ${String(status)}`)
  }
})

test('advises to wait two minutes if the service demands 75 seconds, and 45 seconds if it demands 45', () => {
  const wait = (retryAfter: number) => connectErrorText({ code: 'rate-limited', message: '', retryAfter }).advice
  expect(wait(75)).toMatch(/Wait 2\smin/)
  expect(wait(45)).toMatch(/Wait 45\ss/)
})

test('advises to check the date of this computer if a certificate is not valid yet', () => {
  const { code } = neverSent(Object.assign(new Error(), { code: 'CERT_NOT_YET_VALID' }))
  expect(connectErrorText({ code, message: '' }).advice).toMatch(/date and time of this computer/)
})

test('advises to open “Proxy and certificates” while connecting, and the network settings while replacing a key, after an error of a proxy or certificate', () => {
  for (const code of ['proxy-login', 'certificate', 'client-certificate'] as const) {
    const error = { code, message: '' }
    expect(connectErrorText(error).advice).toContain('“Proxy and certificates”')
    expect(keyErrorText(error).advice).toContain('Settings > Network')
  }
  for (const code of ['not-found', 'refused', 'interrupted', 'rate-limited'] as const) {
    const error = { code, message: '' }
    expect(keyErrorText(error)).toEqual(connectErrorText(error))
  }
})

test('advises to try again after an interruption, because nothing continues an interrupted test or refresh', () => {
  expect(errorText({ code: 'interrupted', message: '' }).advice).toMatch(/^Try again\./)
})

test('does not say that an interrupted answer came from another server', () => {
  const texts = technicalReason({ code: 'interrupted', message: '', status: 200 })
  expect(texts).toEqual(['The response had HTTP status 200.'])
})

test.each(['', 'stats example', 'ftp://stats.example', 'https://me:hush@stats.example', 'https://', 'http://[::1'])(
  'the error for the invalid address %j shows an example of a valid one, but not what was typed',
  (typed) => {
    const address = normalizeAddress(typed)
    if (address.ok) return expect.unreachable()
    const { problem, advice } = connectErrorText(address.error)
    expect(problem).toMatch(/address/)
    expect(advice).toContain('https://')
    expect(problem + advice).not.toContain('hush')
  },
)

test('has advice for each error code, and a problem text of its own unless the code is internal', () => {
  const ours = ['forbidden-sender', 'flooded', 'malformed-request', 'malformed-answer', 'internal']
  const codes = errorCodes.filter((code) => !ours.includes(code))
  const sentence = (error: AppError) => errorText(error).problem
  const bare = codes.map((code) => sentence({ code, message: '' }))
  const byStatus = [502, 503].map((status) => sentence({ code: 'unavailable', message: '', status }))
  const all = [...bare, ...byStatus, sentence({ code: 'refused', message: '', status: 413 })]
  expect(new Set(all).size).toBe(all.length)
  for (const code of errorCodes) {
    for (const text of [errorText({ code, message: '' }), connectErrorText({ code, message: '' })]) {
      expect(text.problem).toMatch(/^[A-Z].*[.?]$/)
      expect(text.advice).toMatch(/^[A-Z].*\.$/)
      expect(text.advice).not.toBe(text.problem)
    }
  }
})
