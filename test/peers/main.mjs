// @ts-check
import { peers, quiet } from './libraries.mjs'

/** Runs one library over many seeds: `node main.mjs NAME SCHEDULES SEED`. Its last line is the counts as JSON. */
const [name = '', schedules = '100', seed = '1'] = process.argv.slice(2)

const load = peers[name]
if (load === undefined) {
  console.log(JSON.stringify(Object.keys(peers)))
} else {
  quiet()
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
