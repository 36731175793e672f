// @ts-check
import { installVirtualGlobals } from './virtual-globals.mjs'

/** Runs one library over many seeds: `node main.mjs NAME SCHEDULES SEED`. Its last line is the counts as JSON. */
const [name = '', schedules = '100', seed = '1'] = process.argv.slice(2)

/** @type {Record<string, () => Promise<import('./peer.mjs').MakePeer>>} */
const peers = {
  siteward: async () => (await import('./adapters/siteward.mjs')).siteward,
  workbox: async () => (await import('./adapters/workbox.mjs')).workbox,
  'workbox, tuned': async () => (await import('./adapters/workbox.mjs')).workboxTuned,
  'redux-offline': async () => (await import('./adapters/redux-offline.mjs')).reduxOffline,
  'redux-offline, tuned': async () => (await import('./adapters/redux-offline.mjs')).reduxOfflineTuned,
  query: async () => (await import('./adapters/query.mjs')).query,
  'query, tuned': async () => (await import('./adapters/query.mjs')).queryTuned,
  transactions: async () => (await import('./adapters/transactions.mjs')).transactions,
  'transactions, tuned': async () => (await import('./adapters/transactions.mjs')).transactionsTuned,
}

const load = peers[name]
if (load === undefined) {
  console.log(JSON.stringify(Object.keys(peers)))
} else {
  // What a library prints of its own would stand between the lines.
  console.log = console.info = console.warn = console.error = () => undefined
  // A browser, too, only logs what a library leaves unhandled.
  process.on('unhandledRejection', () => undefined)
  installVirtualGlobals()
  const make = await load()
  const { runSeed } = await import('./run.mjs')
  /** @type {Record<string, number>} */
  const sum = {}
  for (let n = 0; n < Number(schedules); n++) {
    for (const [count, value] of Object.entries(await runSeed(make, Number(seed) + n)))
      sum[count] = (sum[count] ?? 0) + value
  }
  process.stdout.write(`${JSON.stringify(sum)}\n`)
  process.exit(0)
}
