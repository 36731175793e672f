import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inProject } from '../../scripts/setup/project.mjs'
import { installPeers } from '../../scripts/setup/peers.mjs'
import type { Bench, Figure } from './figure.ts'

/** Other libraries that keep edits until there's a connection, with the same work. */
export const peers: Bench = {
  name: 'peers',
  about:
    'The same change, handed to other libraries as each is at its most careful (test/peers), offline and over SQLite with our ' +
    'settings, until it is on disk: against ours, which has the bridge’s check and the merging in it, and against an ' +
    'append and fdatasync. Their queues are as a start finds them; one of offline-transactions with 10,000 takes ' +
    'minutes, and isn’t measured. workbox-background-sync keeps its queue in the ' +
    'browser’s IndexedDB, which can’t be put over SQLite. Then the requests that each makes of a thousand changes made ' +
    'offline, where the service takes 60 a minute (virtual time): what is told of one website in several changes can go ' +
    'in one request.',
  async run({ quick }) {
    if ((await installPeers()) !== 0) throw new Error('The libraries could not be installed.')
    const child = fork(join(import.meta.dirname, 'peers-process.ts'), [quick ? 'quick' : 'whole'], {
      execArgv: ['--no-warnings'],
      env: { ...process.env, NODE_ENV: 'production' },
    })
    const told = once(child, 'message') as Promise<[Figure[]]>
    const ended = once(child, 'exit').then(() => Promise.reject(new Error('the libraries could not be measured')))
    ended.catch(() => undefined)
    const [figures] = await Promise.race([told, ended])
    return [...figures, ...(await drains(quick))]
  },
}

const EDITS = 1000
const TOUCHED = 300
const LIMIT = 60
/** How many changes each request carries where those of one website go together. */
const FEWER = Number((EDITS / TOUCHED).toFixed(2))
const drained = {
  'workbox-background-sync': 'workbox, tuned',
  'redux-offline': 'redux-offline, tuned',
  'query persist': 'query, tuned',
  'offline-transactions': 'transactions, tuned',
}

interface Drained {
  requests: number
  refused: number
  minutes: number
  held: number
}

/** What each sends of the same changes, ours by the same adapter as in `npm run prove:peers`. */
async function drains(quick: boolean): Promise<Figure[]> {
  const ours = await drainOf('siteward')
  const figures: Figure[] = []
  for (const [name, adapter] of Object.entries(drained).slice(0, quick ? 2 : undefined)) {
    const theirs = await drainOf(adapter)
    const left = theirs.held === 0 ? '' : `, ${String(theirs.held)} still waiting after a day`
    figures.push({
      name: `drain, ${String(EDITS)} changes of ${String(TOUCHED)} websites: requests of ${name}, to ours`,
      ratio: theirs.requests / ours.requests,
      bar: { least: FEWER },
      of:
        `${String(theirs.requests)} (${String(theirs.refused)} answered 429) to ${String(ours.requests)} ` +
        `(${String(ours.refused)}), ${theirs.minutes.toFixed(0)} min to ${ours.minutes.toFixed(0)}${left}`,
    })
  }
  return figures
}

async function drainOf(adapter: string): Promise<Drained> {
  const script = inProject('test', 'peers', 'drain.mjs')
  const args = ['--no-warnings', script, adapter, ...[EDITS, TOUCHED, LIMIT].map(String)]
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { ...process.env, NODE_ENV: 'production' },
  })
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Drained
}
