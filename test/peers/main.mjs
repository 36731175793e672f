import { installVirtualGlobals } from './virtual-globals.mjs'

/**
 * Runs one library over many seeds: `node main.mjs NAME SCHEDULES SEED`. The last line of its output has the counts as JSON or,
 * without a name, the names of the libraries.
 */
const [name = '', schedules = '100', seed = '1'] = process.argv.slice(2)

/** File and export of each: as its guide has it, and tuned as carefully as its guide allows. */
const peers = {
  siteward: ['siteward.ts', 'siteward'],
  workbox: ['workbox.mjs', 'workbox'],
  'workbox, tuned': ['workbox.mjs', 'workboxTuned'],
  'redux-offline': ['redux-offline.mjs', 'reduxOffline'],
  'redux-offline, tuned': ['redux-offline.mjs', 'reduxOfflineTuned'],
  query: ['query.mjs', 'query'],
  'query, tuned': ['query.mjs', 'queryTuned'],
  transactions: ['transactions.mjs', 'transactions'],
  'transactions, tuned': ['transactions.mjs', 'transactionsTuned'],
}

if (!(name in peers)) {
  console.log(JSON.stringify(Object.keys(peers)))
} else {
  // Drops the messages of the libraries, which would come between the lines of the output. Like a browser, it goes on after an
  // unhandled rejection.
  console.log = console.info = console.warn = console.error = () => undefined
  process.on('unhandledRejection', () => undefined)
  // Libraries are imported only once the clock is virtual.
  installVirtualGlobals()
  const [file, exported] = peers[name]
  const { [exported]: make } = await import(`./adapters/${file}`)
  const { runSeed } = await import('./run.mjs')
  const sum = {}
  for (let n = 0; n < Number(schedules); n++)
    for (const [count, value] of Object.entries(await runSeed(make, Number(seed) + n)))
      sum[count] = (sum[count] ?? 0) + value
  process.stdout.write(`${JSON.stringify(sum)}\n`)
  process.exit(0)
}
