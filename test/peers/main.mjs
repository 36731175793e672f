import { installVirtualGlobals } from './virtual-globals.mjs'

/**
 * Runs one library over many seeds: `node main.mjs NAME SCHEDULES SEED`. The last line of the output is the result as JSON.
 * Without NAME, prints the names of the libraries instead.
 */
const [name = '', schedules = '100', seed = '1'] = process.argv.slice(2)

/** The file and export of each library, once as its guide describes, and once tuned as far as its guide allows. */
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
  // The output of libraries would mix with the JSON lines. Like a browser, the process survives an unhandled rejection.
  console.log = console.info = console.warn = console.error = () => undefined
  process.on('unhandledRejection', () => undefined)
  // Imports a library only after the clock was replaced, because some libraries keep the functions that they find.
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
