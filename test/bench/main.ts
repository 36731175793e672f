/** Runs the benchmarks. Prints a table and fails only if something can't be measured. */
import { cpus, totalmem } from 'node:os'
import { presentRuntime } from '../../scripts/runtime.mjs'
import { readSwitches } from '../../scripts/switches.mjs'
import { withDesktop } from './desktop.ts'
import { tableOf, type Figure } from './measure.ts'
import { accounts, memory, start } from './start.ts'
import { acknowledge, drain, refresh } from './changes.ts'
import { keystroke, scroll } from './list.ts'
import { withWindows, type Windows } from './windows.ts'

const inTray = { start, memory, accounts }
const inWindow = { keystroke, scroll, acknowledge, refresh, drain }
const names = [...Object.keys(inTray), ...Object.keys(inWindow)]

const USAGE = `npm run bench -- [--quick] [--only NAME]

  --quick  a few rounds of each, to see that it runs
  --only   one alone: ${names.join(', ')}
  --help   shows this`

const options = { quick: { type: 'boolean', default: false }, only: { type: 'string' } } as const
const { quick, only } = readSwitches(USAGE, options)
if (only !== undefined && !names.includes(only)) throw new Error(USAGE)

const figures: Figure[] = []
/** Runs those that are asked for, one after another. */
async function measure<T>(benches: Record<string, (given: T, quick: boolean) => Promise<Figure[]>>, given: T) {
  for (const [name, bench] of Object.entries(benches)) {
    if (only !== undefined && name !== only) continue
    const begun = performance.now()
    figures.push(...(await bench(given, quick)))
    console.log(`${name} (${((performance.now() - begun) / 1000).toFixed(0)} s)`)
  }
}

if (only === undefined || only in inTray) await withDesktop((desktop) => measure(inTray, desktop))
if (only === undefined || only in inWindow) await withWindows((windows) => measure<Windows>(inWindow, windows))

console.log(`\n${tableOf(figures)}\n`)
const machine = `${cpus()[0]?.model.trim() ?? ''}, ${String(cpus().length)} cores, ${(totalmem() / 2 ** 30).toFixed(0)} GB, ${process.platform}`
console.log(`${new Date().toISOString().slice(0, 10)}, Electron ${presentRuntime().version}, ${machine}`)
