/** Runs the same schedules over Siteward and other offline libraries, and counts what became of the edits. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { run } from '../../scripts/run.mjs'
import { npm } from '../../scripts/setup/project.mjs'
import { readSwitches } from '../../scripts/switches.mjs'

const USAGE = `npm run prove:peers -- [--schedules N] [--seed S] [--only NAME]

  --schedules  for each library; default 200
  --seed       of the first schedule; default 1
  --only       one library alone, as the table names it
  --help       shows this`

const COLUMNS = {
  edits: 'edits',
  lost: 'lost',
  silent: 'silently lost',
  falseFailure: 'false failure',
  reapplied: 're-applied',
  misordered: 'misordered',
  wrong: 'wrong final record',
  held: 'still held',
  prompt: 'within a minute',
}

const NOTES = `lost: neither applied nor still held, and no later edit of the same field was
silently lost: lost, and nobody was told
false failure: reported as failed, but applied
re-applied: carried out by the service more than once
misordered: carried out by the service after a later edit of the same field, a late request included
wrong final record: at the end not what the last edit asked for that wasn't reported as failed, and nothing is held for it
still held: two hours, a restart and two hours more after the last fault
within a minute: carried out by the service within a minute after the user made it, itself or a later edit of the same field`

const options = {
  schedules: { type: 'string', default: '200' },
  seed: { type: 'string', default: '1' },
  only: { type: 'string' },
}
const { schedules, seed, only } = readSwitches(USAGE, options, { schedules: 1e9, seed: 1e9 })
const folder = import.meta.dirname

/** The compared libraries are not dependencies of the project. This installs them when they are needed. */
async function installPeers() {
  if (existsSync(join(folder, 'node_modules', '.package-lock.json'))) return
  const { command, args, shell, env } = npm()
  const code = await run(command, [...args, 'ci', '--no-audit', '--no-fund'], { cwd: folder, shell, env })
  if (code !== 0) throw new Error('The libraries could not be installed.')
}

/** Runs main.mjs, and resolves to the JSON in the last line of its output. */
const ask = (...args) =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, NODE_ENV: 'production' }
    const main = ['--no-warnings', join(folder, 'main.mjs'), ...args]
    const child = spawn(process.execPath, main, { env, stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (part) => (text += part))
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve(JSON.parse(text.trim().split('\n').at(-1)))
      else reject(new Error(`${args[0]} ended with ${code}`))
    })
  })

await installPeers()
const names = (await ask()).filter((name) => only === undefined || name === only)
const found = new Map()
const queue = [...names]
const worker = async () => {
  for (let name = queue.shift(); name !== undefined; name = queue.shift())
    found.set(name, await ask(name, schedules, seed))
}
await Promise.all(Array.from({ length: availableParallelism() }, worker))

const columns = Object.keys(COLUMNS)
console.log(`${schedules} schedules for each, from seed ${seed}\n`)
console.log(`| library | ${Object.values(COLUMNS).join(' | ')} |`)
console.log(`| --- |${' ---: |'.repeat(columns.length)}`)
for (const name of names)
  console.log(`| ${[name, ...columns.map((column) => found.get(name)[column] ?? 0)].join(' | ')} |`)
console.log(`\n${NOTES}`)
