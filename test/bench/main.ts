/** Runs the benchmarks. Prints a table, and fails only if something can't be measured. */
import { writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { presentRuntime } from '../../scripts/runtime.mjs'
import { readSwitches } from '../../scripts/switches.mjs'
import { activityPage } from './activity.ts'
import { bulkChange, refresh, save } from './changes.ts'
import { delivery, refusedInDelivery } from './delivery.ts'
import { withDesktop } from './desktop.ts'
import { growthTable } from './growth.ts'
import { framesWhileTyping, inTaggedView, key, keyInBareTable, scroll, scrollByWheel } from './list.ts'
import { compare, tableOf, type Figure } from './measure.ts'
import { size } from './size.ts'
import { preview, previewFrames } from './table.ts'
import { cpuInTray, memoryInTray, memoryInWindow, memoryOfAccounts, show, startCold, startWarm } from './start.ts'
import { switchAccount } from './switch.ts'
import { withWindow } from './window.ts'

const onLinux = {
  'start-cold': startCold,
  'memory-window': memoryInWindow,
  'memory-tray': memoryInTray,
  'memory-accounts': memoryOfAccounts,
  'cpu-tray': cpuInTray,
}
const onDesktop = { 'start-warm': startWarm, show, ...(process.platform === 'linux' && onLinux) }
const inWindow = {
  'key-10000': key,
  'key-bare': keyInBareTable,
  'key-frames': framesWhileTyping,
  scroll,
  'scroll-wheel': scrollByWheel,
  save,
  bulk: bulkChange,
  refresh,
  'table-preview': preview,
  'table-frames': previewFrames,
  switch: switchAccount,
  'key-tags': inTaggedView(key),
  'key-frames-tags': inTaggedView(framesWhileTyping),
  'scroll-tags': inTaggedView(scroll),
  'scroll-wheel-tags': inTaggedView(scrollByWheel),
}
const inLargeWindow = { 'key-100000': key }
const alone = { activity: activityPage, delivery, 'delivery-refused': refusedInDelivery, size }
const names = [onDesktop, inWindow, inLargeWindow, alone].flatMap((group) => Object.keys(group))

const USAGE = `npm run bench -- [--quick] [--only NAMES] [--json FILE]
npm run bench -- --growth [--quick]

  --quick   a few rounds of each, to see that it runs
  --only    some of them, separated by commas: ${names.join(', ')}
  --json    also writes [{name, ratio, goal, met}] to the file
  --growth  how start, memory, search and refresh grow with the websites and the pending changes
  --help    shows this`

const { quick, only, json, growth } = readSwitches(USAGE, {
  quick: { type: 'boolean', default: false },
  only: { type: 'string' },
  json: { type: 'string' },
  growth: { type: 'boolean', default: false },
})
const chosen = only?.split(',') ?? names
if (chosen.some((name) => !names.includes(name))) throw new Error(USAGE)

const figures = new Map<string, Figure>()

type Benches<T> = Record<string, (given: T, quick: boolean) => Promise<Figure>>

async function measure<T>(benches: Benches<T>, given: T): Promise<void> {
  for (const [name, bench] of wanted(benches)) {
    const begun = performance.now()
    try {
      figures.set(name, await bench(given, quick))
      console.log(`${name} (${((performance.now() - begun) / 1000).toFixed(0)} s)`)
    } catch (error) {
      // Not `process.exit()`, because the other benchmarks still run.
      process.exitCode = 1
      console.error(`${name} could not be measured:`, error)
    }
  }
}

const wanted = <T>(benches: Benches<T>) => Object.entries(benches).filter(([name]) => chosen.includes(name))

async function compareAll(): Promise<string> {
  if (wanted(onDesktop).length > 0) await withDesktop((desktop) => measure(onDesktop, desktop))
  if (wanted(inWindow).length > 0) await withWindow(10_000, (window) => measure(inWindow, window))
  if (wanted(inLargeWindow).length > 0) await withWindow(100_000, (window) => measure(inLargeWindow, window))
  await measure(alone, undefined)
  const comparisons = [...figures].map(([name, figure]) => compare(name, figure))
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(comparisons, null, 2)}\n`)
  return tableOf(figures)
}

console.log(`\n${growth ? await growthTable(quick) : await compareAll()}\n`)
const machine = `${cpus()[0]?.model.trim() ?? ''}, ${String(cpus().length)} cores, ${(totalmem() / 2 ** 30).toFixed(0)} GB, ${process.platform}`
console.log(`${new Date().toISOString().slice(0, 10)}, Electron ${presentRuntime().version}, ${machine}`)
