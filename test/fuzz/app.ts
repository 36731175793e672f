/**
 * Sends malformed input to the built app in Electron: messages of the bridge, links, files of changes, lists of websites,
 * settings files, answers of the service and damaged settings. `FUZZ_INPUTS`: the number of inputs.
 * Fails if the app crashes, ends or does not start, if a rejected promise is not handled, if main's memory grows by more than 50
 * MB, or if the log contains a secret.
 */
import type { ElectronApplication, Page } from '@playwright/test'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { z } from 'zod'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDesktop } from '../../scripts/desktop.mjs'
import { launchApp, quitApp } from '../../scripts/launch.mjs'
import {
  exportedEditSchema,
  exportedWebsiteSchema,
  FORMAT,
  VERSION,
} from '../../src/main/outbox/transfer/export-file.ts'
import { startSampleService } from '../../src/main/sample/service.ts'
import { startKeyring } from '../../scripts/with-keyring.mjs'
import { commands, type CommandName } from '../../src/preload/bridge.ts'
import { accountSchema } from '../../src/shared/account.ts'
import { tagSchema, websiteLocalDataSchema } from '../../src/shared/local-data.ts'
import { addressBookSchema } from '../../src/shared/named-address.ts'
import { presetSchema } from '../../src/shared/preset.ts'
import { savedViewSchema } from '../../src/shared/saved-view.ts'
import { defaultSettings, settingsSchema } from '../../src/shared/state.ts'
import { answered, bytes, onTheWire, type Answered } from './answers.ts'
import { fitting } from './fitting.ts'
import { corrupted } from './hostile.ts'

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261)
const TOTAL = Number(process.env['FUZZ_INPUTS'] ?? 100_000)
const MAX_GROWTH_BYTES = 50 * 1024 * 1024
const KEY = 'key-of-the-fuzz'
const PASSWORD = 'password-of-the-fuzz'
/** Commands that are meant to end the app or its connection. */
const ENDING: CommandName[] = ['quit', 'restartToUpdate', 'disconnect']
/** Commands that wait for the service, which may answer late. Only few of them are sent. */
const ASKING: CommandName[] = [
  'connect',
  'checkAddress',
  'checkSetUp',
  'refresh',
  'replaceKey',
  'switchConnection',
  'trySample',
]
/** Number of simultaneous requests of the bridge. Main accepts up to 200. */
const BATCH = 150

/** The number of inputs of each kind. */
interface Counts {
  messages: number
  links: number
  answers: number
  lists: number
  /** Files of changes. */
  queues: number
  settings: number
  /** Starts of the app with damaged settings. */
  damaged: number
}
/** Divides the inputs. Most are messages, because each answer takes a request, and each damaged file a start of the app. */
function countsOf(total: number): Counts {
  const part = (share: number): number => Math.max(1, Math.round(total * share))
  const others = {
    links: part(0.1),
    answers: part(0.05),
    lists: part(0.03),
    queues: part(0.01),
    settings: part(0.01),
    damaged: part(0.0003),
  }
  return { ...others, messages: total - Object.values(others).reduce((sum, count) => sum + count) }
}

/** Number of requests that were answered, in total and by kind. */
let served = 0
const requests: Record<string, number> = {}
/** Number of answers of the bridge, by error code. */
const codes: Record<string, number> = {}
let taken = 0
let current = 'the start'
/** Returns new values at each call. With the same seed, every run has the same values. */
const sample = <T>(values: fc.Arbitrary<T>, count: number): T[] =>
  fc.sample(values, { numRuns: count, seed: SEED + (taken += 1) })

/** Converts a value to JSON and back, because only JSON reaches the page unchanged. Null if JSON can't contain the value. */
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
    const connected = await page.evaluate((request) => window.siteward?.connect(request), request)
    if (!connected?.ok) throw new Error('the app did not connect')
    await service.close()
    const files: Files = { chosen: join(folder, 'chosen'), saved: join(folder, 'saved') }
    await answerDialogs(app, files)
    const { id } = connected.value
    const identity = await identityOf(page, files)
    await answerAnything(Number(new URL(service.address).port), identity.account)
    const target: Target = {
      app,
      page,
      files,
      connection: id,
      queueFile: queueFiles(identity),
      settingsFile: settingsFiles(service.address, identity),
    }
    const ended = new Promise<never>((_resolve, reject) => {
      app.process().once('exit', (code, signal) => {
        reject(new Error(`the app has ended (${String(code ?? signal)}):\n${output().slice(-2_000)}`))
      })
    })
    ended.catch(() => undefined)
    const sendAll = (counts: Counts) =>
      Promise.race([send(target, counts), ended]).catch((error: unknown) => {
        throw new Error(`failed after ${current}. ${[...inPage, output().slice(-2_000)].join('\n')}`, { cause: error })
      })
    // Fills the app's caches, so that they don't count as growth of the memory.
    await sendAll(countsOf(Math.ceil(TOTAL / 10)))
    const before = await memory(app)
    const counts = countsOf(TOTAL)
    const begun = served
    await sendAll(counts)
    const growth = (await memory(app)) - before
    const faults = [...(await app.evaluate(seenFaults)), ...inPage]
    await quitApp(app)
    const logs = readLogs(userData) + output()
    counts.answers = served - begun
    console.log(`inputs: ${formatCounts({ ...counts })}`)
    console.log(`answers of the bridge: ${formatCounts(codes)}`)
    console.log(`requests that were answered: ${formatCounts(requests)}`)
    console.log(`memory of main: ${(growth / 2 ** 20).toFixed(1)} MB more; faults: ${String(faults.length)}`)
    const thrown = logs.match(/^.*(commandFailed|misfit).*$/gm)
    if (thrown) throw new Error(`a handler has thrown:\n${thrown.slice(0, 10).join('\n')}`)
    if (faults.length > 0) throw new Error(`unhandled:\n${faults.slice(0, 10).join('\n')}`)
    if (growth > MAX_GROWTH_BYTES) throw new Error(`memory grew by ${String(growth)} bytes`)
    if (logs.includes(KEY) || logs.includes(PASSWORD)) throw new Error('a secret is in the log')
    await startDamaged(userData, env, counts.damaged)
  } finally {
    await keyring.stop()
    await desktop.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const formatCounts = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${String(count)}`)
    .join(', ')

interface Watched {
  faults?: string[]
}
const inPage: string[] = []
/** Runs in main. Returns the faults that {@link watch} has collected there. */
const seenFaults = (): string[] => (globalThis as Watched).faults ?? []

/** Collects unhandled errors and rejections, and crashes, in main and in the page. */
async function watch(app: ElectronApplication, page: Page): Promise<void> {
  await app.evaluate(({ app: electronApp }) => {
    const faults = ((globalThis as Watched).faults = [] as string[])
    process.on('unhandledRejection', (reason) => faults.push(`rejection: ${String(reason)}`))
    process.on('uncaughtExceptionMonitor', (error) => faults.push(`exception: ${String(error.stack)}`))
    electronApp.on('render-process-gone', (_event, _contents, { reason }) => faults.push(`window: ${reason}`))
    electronApp.on('child-process-gone', (_event, { type, reason }) => faults.push(`${type}: ${reason}`))
  })
  page.on('pageerror', (error) => inPage.push(`page: ${error.message}`))
  page.on('crash', () => inPage.push('page: crashed'))
}

/** Returns a function that returns everything the app has written to stdout and stderr since this call. */
const outputOf = (app: ElectronApplication): (() => string) => {
  let text = ''
  const { stdout, stderr } = app.process()
  for (const stream of [stdout, stderr]) stream?.on('data', (chunk) => (text += String(chunk)))
  return () => text
}

function answerAnything(port: number, account: string): Promise<void> {
  // Some answers have the right account. Otherwise, a rejected key would end all requests.
  const right: fc.Arbitrary<Answered> = fitting(accountSchema).map((made) => {
    const { extra, ...known } = made as Record<string, unknown>
    return { status: 200, headers: [], text: JSON.stringify({ data: { ...(extra as object), ...known, id: account } }) }
  })
  const wire = onTheWire(fc.oneof({ weight: 8, arbitrary: answered }, right))
  const answers = sample(fc.oneof({ weight: 9, arbitrary: wire }, bytes), 5000)
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', (request) => {
      const [line = ''] = /^\w+ \/api\/v1\/\w+/.exec(request.toString('latin1')) ?? []
      requests[line] = (requests[line] ?? 0) + 1
      served += 1
      socket.end(answers[served % answers.length] ?? '')
    })
  })
  server.unref()
  return new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))
}

interface Files {
  /** The file that the user opens in every dialog. */
  chosen: string
  /** The file that the user saves to in every dialog. */
  saved: string
}

const answerDialogs = (app: ElectronApplication, files: Files): Promise<void> =>
  app.evaluate(({ dialog }, { chosen, saved }) => {
    Object.assign(dialog, {
      showOpenDialog: async () => ({ canceled: false, filePaths: [chosen] }),
      showSaveDialog: async () => ({ canceled: false, filePath: saved }),
    })
  }, files)

interface Target {
  app: ElectronApplication
  page: Page
  files: Files
  /** Id of the connection to the server with random answers. */
  connection: string
  queueFile: fc.Arbitrary<string>
  settingsFile: fc.Arbitrary<string>
}

async function send(target: Target, counts: Counts): Promise<void> {
  await reset(target)
  await sendLinks(target.app, counts.links)
  await sendQueues(target, counts.queues)
  await sendSettings(target, counts.settings)
  await reset(target)
  await sendLists(target, counts.lists)
  await sendMessages(target, counts.messages)
  await reset(target)
  await sendAnswers(target, counts.answers)
}

/** Undoes the effects of messages, which may have opened the sample data, paused sending, or changed the language. */
const reset = ({ page, connection }: Target): Promise<void> =>
  page.evaluate(
    async ([id, settings]) => {
      await window.siteward?.switchConnection({ id })
      await window.siteward?.setSettings(settings)
    },
    [connection, defaultSettings] as const,
  )

async function sendQueues({ page, files, queueFile }: Target, count: number): Promise<void> {
  for (const text of sample(queueFile, count)) {
    writeFileSync(files.chosen, text)
    await page.evaluate(async () => {
      await window.siteward?.importEdits()
      await window.siteward?.finishImport({ confirmed: true })
    })
  }
}

async function sendSettings({ page, files, settingsFile }: Target, count: number): Promise<void> {
  for (const text of sample(settingsFile, count)) {
    writeFileSync(files.chosen, text)
    await page.evaluate(async () => {
      await window.siteward?.importSettings()
      await window.siteward?.finishSettingsImport({ confirmed: true })
    })
  }
}

async function sendLists({ page, files }: Target, count: number): Promise<void> {
  // Returns to the list, because a link may have opened another screen.
  await page.goto(new URL('/index.html', page.url()).href)
  await page.getByRole('grid', { name: 'Websites' }).waitFor()
  await page.keyboard.press('ControlOrMeta+Shift+N')
  const open = page.getByRole('button', { name: 'Open a file…' })
  await open.waitFor()
  for (const text of sample(listFile, count)) {
    writeFileSync(files.chosen, text)
    await open.evaluate(async (button: HTMLElement) => {
      button.click()
      // Main reads files in order. After this answer, the file of the click was read too.
      await window.siteward?.openList()
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    })
  }
  await page.keyboard.press('Escape')
}

/** Makes the app send requests until `count` of them were answered. */
async function sendAnswers({ page }: Target, count: number): Promise<void> {
  for (const until = served + count; served < until;) {
    await page.evaluate(async (apiKey) => {
      const ask = () => window.siteward?.replaceKey({ apiKey, keep: 'run', same: true })
      await Promise.all([window.siteward?.refresh(), ...Array.from({ length: 20 }, ask)])
    }, KEY)
  }
}

/** Sends few requests to each command of {@link ASKING}, none to {@link ENDING}, and the rest to the other commands. */
async function sendMessages(target: Target, total: number): Promise<void> {
  const { page } = target
  const others = (Object.keys(commands) as CommandName[]).filter((name) => ![...ENDING, ...ASKING].includes(name))
  const few = Math.min(20, Math.floor(total / (ASKING.length + others.length)))
  for (const name of ASKING) await sendTo(page, name, few, [])
  await reset(target)
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
  let left = total - few * ASKING.length
  for (const [at, name] of others.entries()) {
    const count = Math.ceil(left / (others.length - at))
    await sendTo(page, name, count, listed)
    left -= count
  }
}

async function sendTo(page: Page, name: CommandName, count: number, keys: readonly string[]): Promise<void> {
  const fits = fitting(commands[name].request, [...keys, 'a.example'], [KEY, PASSWORD])
  const values = fc.oneof(fits, corrupted(fits), fc.jsonValue()).map(plain)
  const asks = ASKING.includes(name)
  for (let sent = 0; sent < count; sent += BATCH) {
    // As text, because the debugging protocol drops a message with deep nesting.
    const json = JSON.stringify(sample(values, Math.min(count - sent, BATCH)))
    current = `${name} ${json}`
    const answers = await page.evaluate(ask, [name, json, asks ? 2_000 : 30_000] as const)
    for (const code of answers) codes[code] = (codes[code] ?? 0) + 1
    if (answers.includes('late') && !asks) throw new Error(`${name} left requests without an answer`)
  }
}

/** Sends requests to a command, and repeats those that main refuses as a flood. Returns the code of each answer. */
async function ask([command, json, milliseconds]: readonly [string, string, number]): Promise<string[]> {
  type Answer = { ok: boolean; error?: { code: string } } | undefined
  const siteward = window.siteward as unknown as Record<string, (request: unknown) => Promise<Answer>>
  const limit = new Promise<'late'>((resolve) => setTimeout(resolve, milliseconds, 'late'))
  const send = async (request: unknown): Promise<string> => {
    for (;;) {
      const answer = await Promise.race([siteward[command]?.(request), limit])
      if (answer === 'late') return 'late'
      const code = answer?.ok ? 'ok' : (answer?.error?.code ?? 'nothing')
      if (code !== 'flooded') return code
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  return Promise.all((JSON.parse(json) as unknown[]).map(send))
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

interface Identity {
  account: string
}

/** Returns the identity of the connection in exported files. An imported file must have the same one. */
async function identityOf(page: Page, { saved }: Files): Promise<Identity> {
  await page.evaluate(() => window.siteward?.exportEdits())
  return (JSON.parse(readFileSync(saved, 'utf8')) as { connection: Identity }).connection
}

function queueFiles(connection: Identity): fc.Arbitrary<string> {
  const names = ['one', 'two', 'three']
  const rows = (schema: z.ZodType, name: string): fc.Arbitrary<unknown[]> =>
    fc.tuple(
      ...names.map((value) => fitting(schema, names).map((row) => ({ ...(row as object), [name]: value }) as unknown)),
    )
  const whole = fc
    .record({ websites: rows(exportedWebsiteSchema, 'key'), edits: rows(exportedEditSchema, 'website') })
    .map((lists) => ({ format: FORMAT, version: VERSION, connection, ...lists }))
  return filesLike(whole)
}

function settingsFiles(address: string, { account }: Identity): fc.Arbitrary<string> {
  const lists = {
    presets: fc.array(fitting(presetSchema), { maxLength: 3 }),
    views: fc.array(fitting(savedViewSchema), { maxLength: 3 }),
    tags: fc.array(fitting(tagSchema), { maxLength: 3 }),
    websites: fc.array(fitting(websiteLocalDataSchema.extend({ domain: z.string() }), ['a.example']), { maxLength: 3 }),
  }
  const accountOf = (id: string, accountId: string) =>
    fc.record({
      id: fc.constant(id),
      address: fc.constant(address),
      accountId: fc.constant(accountId),
      name: fc.string(),
      ...lists,
    })
  const whole = fc.record(
    {
      format: fc.constant('siteward-settings'),
      version: fc.constant(1),
      settings: fitting(settingsSchema.partial()),
      addresses: fitting(addressBookSchema),
      accounts: fc.tuple(accountOf('first', account), accountOf('second', 'another')),
    },
    { requiredKeys: ['format', 'version'] },
  )
  return filesLike(whole)
}

/** Generates files with this content, intact and damaged, and files with other texts. */
const filesLike = (whole: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
  fc.oneof(
    whole.map((file) => JSON.stringify(file)),
    corrupted(whole).map((file) => JSON.stringify(plain(file))),
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

/** Returns the size of main's live objects in bytes. */
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

/** Damages the settings or their file before each start. The app must start and answer. */
async function startDamaged(userData: string, env: Record<string, string>, starts: number): Promise<void> {
  const file = join(userData, 'siteward.db')
  const whole = readFileSync(file)
  const damage = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 200 })
  const values = fc
    .oneof(corrupted(fitting(settingsSchema)), fc.jsonValue())
    .map((value) => JSON.stringify(plain(value)))
  for (const [index, places] of sample(damage, starts).entries()) {
    const bytes = Buffer.from(whole)
    if (index % 2 === 0) for (const [at, byte] of places) bytes[at] = byte
    writeFileSync(file, bytes)
    if (index % 2 === 1) writeSettings(file, sample(fc.oneof(values, fc.string()), 1)[0] ?? '')
    const { app, page } = await launchApp({ userData, env })
    const state = await page.evaluate(() => window.siteward?.getState())
    await quitApp(app)
    if (state?.ok !== true) throw new Error('the app did not start from a damaged file')
  }
  if (readLogs(userData).match(/-of-the-fuzz/)) throw new Error('a secret is in the log')
}

function writeSettings(file: string, value: string): void {
  const db = new Database(file)
  db.prepare(`INSERT INTO setting VALUES ('settings', ?) ON CONFLICT DO UPDATE SET value = excluded.value`).run(value)
  db.close()
}

await main()
