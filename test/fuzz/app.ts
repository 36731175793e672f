/**
 * Sends malformed input to the built app in Electron: messages of the bridge, links, files of changes, lists of websites,
 * answers of the service and damaged data files. Fails if the app crashes or ends, a promise is rejected that nothing handles,
 * main's memory grows by more than 50 MB, or a secret is in the log. `FUZZ_INPUTS` is their number.
 */
import type { ElectronApplication, Page } from '@playwright/test'
import fc from 'fast-check'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDesktop } from '../../scripts/desktop.mjs'
import { launchApp, quitApp } from '../../scripts/launch.mjs'
import { startSampleService } from '../../src/main/sample/service.ts'
import { startKeyring } from '../../scripts/with-keyring.mjs'
import { commands, type CommandName } from '../../src/preload/bridge.ts'
import { answered } from './answers.ts'
import { fitting } from './fitting.ts'
import { spoilt } from './hostile.ts'

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261)
const TOTAL = Number(process.env['FUZZ_INPUTS'] ?? 100_000)
const GROWTH = 50 * 1024 * 1024
const KEY = 'key-of-the-fuzz'
const PASSWORD = 'password-of-the-fuzz'
/** Commands that end the app or its connection, by design. */
const ENDING: CommandName[] = ['quit', 'restartToUpdate', 'disconnect']
/** Commands that wait for the service, which answers anything or late; few of them are sent, and nothing waits for them. */
const ASKING: CommandName[] = [
  'connect',
  'checkAddress',
  'checkSetUp',
  'refresh',
  'replaceKey',
  'switchConnection',
  'trySample',
]
const STARTS = 10

/** Requests of the app that were answered. */
let served = 0
let taken = 0
/** Returns other values at each call, the same ones for the same seed. */
const sample = <T>(values: fc.Arbitrary<T>, count: number): T[] =>
  fc.sample(values, { numRuns: count, seed: SEED + (taken += 1) })

/** Only what JSON carries reaches the page unchanged; fuzz/bridge.test.ts covers the other kinds of values. */
const plain = (value: unknown): unknown => {
  try {
    return JSON.parse(JSON.stringify(value) ?? 'null')
  } catch {
    return null
  }
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'siteward-fuzz-'))
  const desktop = await startDesktop()
  const keyring = await startKeyring()
  const service = await startSampleService({ websites: 50, key: KEY, rate: 0 })
  const env = { ...desktop.env, ...keyring.env, XDG_CONFIG_HOME: join(folder, 'config'), HOME: folder }
  const userData = join(folder, 'data')
  try {
    const { app, page } = await launchApp({ userData, env })
    const output = outputOf(app)
    await watch(app, page)
    const request = { address: service.address, apiKey: KEY, keep: 'run' as const }
    const connected = await page.evaluate((asked) => window.siteward?.connect(asked), request)
    if (!connected?.ok) throw new Error('the app did not connect')
    await service.close()
    await answerAnything(Number(new URL(service.address).port))
    await answerDialogs(app)
    // The caches of the app fill up first.
    await send(app, page, folder, Math.ceil(TOTAL / 10))
    const before = await memory(app)
    await send(app, page, folder, TOTAL)
    const growth = (await memory(app)) - before
    const faults = [...(await app.evaluate(seenFaults)), ...(await page.evaluate(seenFaults))]
    await quitApp(app)
    const logs = readLogs(userData) + output()
    console.log(
      `${String(TOTAL)} inputs, ${String(served)} answers to requests; memory of main ${(growth / 2 ** 20).toFixed(1)} MB; faults: ${String(faults.length)}`,
    )
    if (faults.length > 0) throw new Error(`unhandled:\n${faults.slice(0, 10).join('\n')}`)
    if (growth > GROWTH) throw new Error(`memory grew by ${String(growth)} bytes`)
    if (logs.includes(KEY) || logs.includes(PASSWORD)) throw new Error('a secret is in the log')
    await startDamaged(userData, env)
  } finally {
    await keyring.stop()
    await desktop.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Watched {
  faults?: string[]
  file?: string
}
const seenFaults = (): string[] => (globalThis as Watched).faults ?? []

/** Collects what nothing handles, in main and in the page; a page that reloads after a crash has no list, and counts as one. */
async function watch(app: ElectronApplication, page: Page): Promise<void> {
  await app.evaluate(({ app: electronApp }) => {
    const faults = ((globalThis as Watched).faults = [] as string[])
    process.on('unhandledRejection', (reason) => faults.push(`rejection: ${String(reason)}`))
    process.on('uncaughtExceptionMonitor', (error) => faults.push(`exception: ${String(error.stack)}`))
    electronApp.on('render-process-gone', (_event, _contents, { reason }) => faults.push(`window: ${reason}`))
    electronApp.on('child-process-gone', (_event, { type, reason }) => faults.push(`${type}: ${reason}`))
  })
  await page.evaluate(() => {
    const faults = ((globalThis as Watched).faults = [] as string[])
    addEventListener('unhandledrejection', ({ reason }) => faults.push(`page: ${String(reason)}`))
    addEventListener('error', ({ message }) => faults.push(`page: ${message}`))
  })
}

const outputOf = (app: ElectronApplication): (() => string) => {
  let text = ''
  const { stdout, stderr } = app.process()
  for (const stream of [stdout, stderr]) stream?.on('data', (chunk) => (text += String(chunk)))
  return () => text
}

/** Every request of the app from now on is answered with whatever a host may answer. */
function answerAnything(port: number): Promise<void> {
  const answers = sample(answered, 2000)
  let next = 0
  const server = createServer((_request, response) => {
    const answer = answers[(next += 1) % answers.length]
    served += 1
    try {
      response.writeHead(answer?.status ?? 200, Object.fromEntries(answer?.headers ?? []))
    } catch {
      // Node refuses to send such a header.
    }
    response.end(answer?.text)
  })
  server.unref()
  return new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))
}

/** Each dialog that asks for a file gets the one that the test wrote last; nothing is saved. */
const answerDialogs = (app: ElectronApplication): Promise<void> =>
  app.evaluate(({ dialog }) => {
    const chosen = () => ({ canceled: false, filePaths: [(globalThis as Watched).file ?? ''] })
    Object.assign(dialog, {
      showOpenDialog: async () => chosen(),
      showSaveDialog: async () => ({ canceled: true, filePath: '' }),
    })
  })

async function send(app: ElectronApplication, page: Page, folder: string, total: number): Promise<void> {
  const links = Math.round(total * 0.1)
  const lists = Math.round(total * 0.04)
  const queues = Math.round(total * 0.005)
  await sendLinks(app, links)
  const file = join(folder, 'chosen')
  await app.evaluate((_, path) => void ((globalThis as Watched).file = path), file)
  for (const text of sample(queueFile, queues)) {
    writeFileSync(file, text)
    await page.evaluate(async () => {
      await window.siteward?.importEdits()
      await window.siteward?.finishImport({ confirmed: true })
    })
  }
  for (const text of sample(listFile, lists)) {
    writeFileSync(file, text)
    await page.evaluate(() => window.siteward?.openList())
  }
  await sendMessages(page, total - links - lists - queues)
}

async function sendMessages(page: Page, total: number): Promise<void> {
  const names = (Object.keys(commands) as CommandName[]).filter((name) => !ENDING.includes(name))
  const listed = await page.evaluate(async () => {
    const found = await window.siteward?.listKeys({
      from: 0,
      count: 10,
      search: '',
      search_by: 'domain',
      sort_by: 'id',
      sort: 'asc',
    })
    return found?.ok ? found.value : []
  })
  const made = names.map((name) => {
    const fits = fitting(commands[name].request, [...listed, 'a.example'], [KEY, PASSWORD])
    return [name, fc.oneof(fits, spoilt(fits), fc.jsonValue()).map(plain)] as const
  })
  const each = Math.ceil((total - 20 * ASKING.length) / (names.length - ASKING.length))
  for (const [name, values] of made) {
    const asks = ASKING.includes(name)
    for (let left = asks ? 20 : each; left > 0; left -= 250) {
      const requests = sample(values, Math.min(left, 250))
      const unanswered = await page.evaluate(
        async ([command, json, milliseconds]) => {
          const batch = JSON.parse(json) as unknown[]
          const siteward = window.siteward as unknown as Record<string, (request: unknown) => Promise<unknown>>
          const limit = new Promise((resolve) => setTimeout(resolve, milliseconds, 'late'))
          const all = await Promise.all(batch.map((request) => Promise.race([siteward[command]?.(request), limit])))
          return all.filter((answer) => answer === 'late' || typeof answer !== 'object').length
        },
        // As text: the debugging protocol drops a message that is nested deeply.
        [name, JSON.stringify(requests), asks ? 2_000 : 30_000] as const,
      )
      if (unanswered > 0 && !asks) throw new Error(`${name} left ${String(unanswered)} requests without an answer`)
    }
  }
}

async function sendLinks(app: ElectronApplication, total: number): Promise<void> {
  const link = fc.oneof(
    fc.string({ unit: 'binary' }).map((text) => `siteward://${text}`),
    fc
      .constantFrom('add', 'website', '..', '%', '//')
      .chain((to) => fc.string().map((text) => `siteward://${to}/${text}`)),
    fc.webUrl().map((url) => url.replace(/^https?/, 'siteward')),
    fc.string(),
  )
  await app.evaluate(
    ({ app: electronApp }, links) => {
      for (const text of links) electronApp.emit('second-instance', {}, ['siteward', text], '', {})
    },
    sample(link, total),
  )
}

const head = {
  format: 'siteward-pending',
  version: 1,
  connection: { id: 'x', address: 'http://127.0.0.1', account: '1' },
}
const rows = fc.array(
  fc.oneof(fc.jsonValue(), fc.record({ id: fc.string(), website: fc.string(), kind: fc.string() })),
  { maxLength: 5 },
)
const queueFile = fc.oneof(
  fc.record({ websites: rows, edits: rows }).map((lists) => JSON.stringify({ ...head, ...lists })),
  fc.json(),
  fc.string({ unit: 'binary' }),
  fc.constant('['.repeat(100_000)),
)
const cell = fc.oneof(fc.string(), fc.constantFrom('"', '=cmd()', '\u0000', 'domain', ',', ';', '\t'))
const listFile = fc.oneof(
  fc
    .array(fc.array(cell, { maxLength: 6 }), { maxLength: 20 })
    .map((lines) => lines.map((line) => line.join(',')).join('\n')),
  fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes)),
)

/** Bytes that main's live objects take. */
const memory = (app: ElectronApplication): Promise<number> =>
  app.evaluate(() => {
    process.getBuiltinModule('node:v8').setFlagsFromString('--expose-gc')
    const collect = process.getBuiltinModule('node:vm').runInNewContext('gc') as () => void
    collect()
    collect()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  })

const readLogs = (userData: string): string =>
  readdirSync(userData, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.log'))
    .map((name) => readFileSync(join(userData, name), 'utf8'))
    .join('')

/** Damages the file of the settings in many ways; each time the app has to start and answer. */
async function startDamaged(userData: string, env: Record<string, string>): Promise<void> {
  const file = join(userData, 'siteward.db')
  const whole = readFileSync(file)
  const damage = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 200 })
  for (const places of sample(damage, STARTS)) {
    const bytes = Buffer.from(whole)
    for (const [at, byte] of places) bytes[at] = byte
    writeFileSync(file, bytes)
    const { app, page } = await launchApp({ userData, env })
    const state = await page.evaluate(() => window.siteward?.getState())
    await quitApp(app)
    if (state?.ok !== true) throw new Error('the app did not start from a damaged file')
  }
  console.log(`${String(STARTS)} starts from a damaged file`)
}

await main()
