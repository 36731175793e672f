import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startSampleService, type SampleService } from '../../../src/main/sample/service.ts'

const CHILD = join(import.meta.dirname, 'crash-child.ts')
const DOMAIN = 'crashing.example'
/** Long enough for a slow machine: a test starts up to three processes. */
const LIMIT_MS = 60_000

let folder: string
let sample: SampleService
let proxy: Server
let children: ChildProcess[]
/** Called for each write. `arrived`: before the proxy passes it on. `done`: after the service has answered. */
let onWrite: (when: 'arrived' | 'done') => void

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'siteward-'))
  sample = await startSampleService({ websites: 120, rate: 0 })
  children = []
  onWrite = () => {}
  proxy = createServer((incoming, outgoing) => {
    const { method = 'GET', headers, url = '/' } = incoming
    const write = method !== 'GET'
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      if (write) onWrite('arrived')
      if (dead()) return
      const onward = request(sample.address + url, { method, headers }, (answer) => {
        if (write) onWrite('done')
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(outgoing)
      })
      onward.end(Buffer.concat(chunks))
    })
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
})

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  proxy.closeAllConnections()
  proxy.close()
  await sample.close()
  rmSync(folder, { recursive: true })
})

const dead = () => children.at(-1)?.killed === true

/** Starts crash-child.ts with these arguments after the file and the address. The proxy gets all of its requests. */
function run(...args: string[]): ChildProcess {
  const address = `http://127.0.0.1:${String((proxy.address() as AddressInfo).port)}`
  const child = spawn(process.execPath, [CHILD, join(folder, 'connection.db'), address, ...args], {
    env: { ...process.env, SAMPLE_KEY: sample.apiKey },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  return child
}

/** Kills a new process when its write has arrived at the proxy, which drops it (`arrived`), or was answered (`done`). */
async function killedWhen(when: 'arrived' | 'done', ...args: string[]): Promise<void> {
  const child = run(...args)
  onWrite = (now) => now === when && child.kill('SIGKILL')
  await once(child, 'exit')
  expect(child.signalCode).toBe('SIGKILL')
  onWrite = () => {}
}

/** Starts a process that runs until no edit is pending. */
async function allSent(): Promise<void> {
  const child = run()
  let output = ''
  for await (const chunk of child.stdout ?? []) {
    output += String(chunk)
    if (output.includes('all sent')) break
  }
  expect(output).toContain('all sent')
  child.kill('SIGKILL')
  await once(child, 'exit')
}

const websites = () => sample.store.all().filter(({ domain }) => domain === DOMAIN)
const writes = () => sample.store.requests().filter(({ method }) => method !== 'GET').length

/** When to kill the process: the text in the test title, and the progress of the write at the proxy. */
const MOMENTS = [
  ['before its request reaches the service', 'arrived'],
  ['after the service has answered', 'done'],
] as const

test.each(MOMENTS)(
  'an app that is killed %s has created the website once after a restart',
  async (_moment, when) => {
    await killedWhen(when, 'create', DOMAIN)
    await allSent()
    expect(websites()).toHaveLength(1)
    expect(writes()).toBe(1)
  },
  LIMIT_MS,
)

test.each(MOMENTS)(
  'an app that is killed %s has sent and applied its update once after a restart',
  async (_moment, when) => {
    const domain = sample.store.all().find(({ email }) => !email)?.domain ?? ''
    await killedWhen(when, 'update', domain)
    await allSent()
    expect(sample.store.all().find((website) => website.domain === domain)?.email).toBe(1)
    expect(writes()).toBe(1)
  },
  LIMIT_MS,
)

test.each(MOMENTS)(
  'an app that is killed %s has deleted the website, and no other, after a restart',
  async (_moment, when) => {
    const domain = sample.store.all()[60]?.domain ?? ''
    await killedWhen(when, 'delete', domain)
    await allSent()
    expect(sample.store.all().map((website) => website.domain)).not.toContain(domain)
    expect(sample.store.all()).toHaveLength(119)
  },
  LIMIT_MS,
)
