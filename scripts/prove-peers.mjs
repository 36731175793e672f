// @ts-check
/** `npm run prove:peers`: the same schedules over other offline libraries and over ours, and what became of the edits. */
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { runScript, setup } from './setup.mjs'
import { installPeers } from './setup/peers.mjs'
import { inProject, projectNode, toolEnv } from './setup/project.mjs'

const USAGE = `npm run prove:peers -- [--schedules N] [--seed S] [--only NAME] [--json FILE]

  --schedules  for each library; default 200
  --seed       of the first schedule; default 1
  --only       one library alone, as the table names it
  --json       keeps the counts in a file
  --help       shows this`

const COLUMNS = /** @type {const} */ ({
  edits: 'edits',
  lost: 'lost',
  silent: 'silently lost',
  falseFailure: 'false failure',
  reapplied: 're-applied',
  misordered: 'misordered',
  wrong: 'wrong final record',
  held: 'still held',
})

const NOTES = `lost: neither applied nor still held, and no later edit of the same that fared better
silently lost: of those, the ones of which nobody was told
false failure: told as failed, and applied all the same
re-applied: carried out by the service more than once
misordered: carried out by the service after a later edit of the same field, a late request included
wrong final record: at the end not what the last edit asked for that wasn't told as failed, and nothing is held for it
still held: two hours, a start and two hours more after the last fault`

/**
 * @param {string[]} args
 * @returns {Promise<string>} its last line
 */
const ask = (args) =>
  new Promise((resolve, reject) => {
    const env = { ...toolEnv(), NODE_ENV: 'production' }
    const main = inProject('test', 'peers', 'main.mjs')
    const child = spawn(projectNode, ['--no-warnings', main, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (/** @type {string} */ part) => (text += part))
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve(text.trim().split('\n').at(-1) ?? '')
      else reject(new Error(`${args[0] ?? ''} ended with ${String(code)}`))
    })
  })

/** @param {string} name @param {Record<string, number>} counts */
const row = (name, counts) =>
  `| ${name} | ${Object.keys(COLUMNS)
    .map((column) => String(counts[column] ?? 0))
    .join(' | ')} |`

/** @param {string[]} args */
async function main(args) {
  const { values } = parseArgs({
    args,
    options: {
      schedules: { type: 'string', default: '200' },
      seed: { type: 'string', default: '1' },
      only: { type: 'string' },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(USAGE)
  for (const number of [values.schedules, values.seed]) {
    if (!/^\d{1,9}$/.test(number)) throw new Error(`${number} isn't a whole number.\n\n${USAGE}`)
  }
  await setup()
  if ((await installPeers()) !== 0) throw new Error('The libraries could not be installed.')

  /** @type {string[]} */
  const names = JSON.parse(await ask([]))
  const wanted = names.filter((name) => values.only === undefined || name === values.only)
  if (wanted.length === 0) throw new Error(`There is no ${values.only ?? ''}: ${names.join('; ')}`)
  console.log(`${values.schedules} schedules for each, from seed ${values.seed}\n`)
  console.log(`| library | ${Object.values(COLUMNS).join(' | ')} |`)
  console.log(`| --- |${' ---: |'.repeat(Object.keys(COLUMNS).length)}`)

  /** @type {Map<string, Promise<Record<string, number>>>} */
  const found = new Map()
  const queue = [...wanted]
  /** @type {Map<string, (counts: Promise<Record<string, number>>) => void>} */
  const give = new Map()
  for (const name of wanted) {
    const counts = new Promise((resolve) => give.set(name, resolve))
    // It's told when its turn in the table has come.
    counts.catch(() => undefined)
    found.set(name, counts)
  }
  const worker = async () => {
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
      const counts = ask([name, values.schedules, values.seed]).then((line) => JSON.parse(line))
      give.get(name)?.(counts)
      await counts.catch(() => undefined)
    }
  }
  for (let n = 0; n < availableParallelism(); n++) void worker()
  for (const [name, counts] of found) console.log(row(name, await counts))
  console.log(`\n${NOTES}`)
  if (values.json !== undefined) {
    const all = await Promise.all([...found].map(async ([name, counts]) => ({ name, ...(await counts) })))
    writeFileSync(values.json, `${JSON.stringify({ seed: Number(values.seed), peers: all }, null, 2)}\n`)
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await runScript(() => main(process.argv.slice(2)))
