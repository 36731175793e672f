/** Runs the suite; started by scripts/bench.mjs. Exit status 1: a bar isn't met, or something couldn't be measured. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { format } from 'prettier'
import { bridge } from './bridge.ts'
import { drain } from './drain.ts'
import { enqueue } from './enqueue.ts'
import { meets, said, type Bench, type Figure } from './figure.ts'
import { list } from './list.ts'
import { open } from './open.ts'
import { chartOf, growing, machine, measuredNow, pageOf, type Section } from './page.ts'
import { peers } from './peers.ts'
import { refresh } from './refresh.ts'
import { rest } from './rest.ts'
import { scale } from './scale.ts'
import { send } from './send.ts'
import { seriesChart, seriesPicture } from './series-chart.ts'
import { size } from './size.ts'
import { start } from './start.ts'

const benches: readonly Bench[] = [enqueue, peers, drain, send, bridge, start, open, list, refresh, rest, scale, size]

const USAGE = `npm run bench -- [--quick] [--only NAME] [--json FILE]

  --quick  a few rounds of each, to see that it runs: some minutes in place of an hour
  --only   one alone: ${benches.map(({ name }) => name).join(', ')}
  --json   keeps the figures in a file
  --help   shows this

What was measured, unless it was quick, takes the place of what was measured of it before in docs/benchmarks.json, of which
docs/benchmarks.md and its pictures are made.`

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const chosen = benches.filter(({ name }) => values.only === undefined || name === values.only)
if (values.help || chosen.length === 0) {
  console.log(USAGE)
  process.exit(values.help ? 0 : 2)
}

const measured = measuredNow()
const sections: Section[] = []
for (const { name, about, run } of chosen) {
  console.log(`\n${about}`)
  const begun = performance.now()
  try {
    const figures = await run({ quick: values.quick })
    for (const figure of figures) console.log(`  ${lineOf(figure)}`)
    sections.push({ name, about, figures, failure: null, measured })
  } catch (error) {
    // What else there is to measure isn't lost by it.
    console.error(error)
    const failure = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    sections.push({ name, about, figures: [], failure, measured })
  }
  console.log(`  (${((performance.now() - begun) / 1000).toFixed(0)} s)`)
}
const figures = sections.flatMap((section) => section.figures)
if (!values.quick) await keep()
if (values.json !== undefined) {
  const written = figures.map((figure) => ({ ...figure, met: meets(figure) }))
  writeFileSync(
    values.json,
    `${JSON.stringify({ machine: machine(), quick: values.quick, figures: written }, null, 2)}\n`,
  )
}
const failed = sections.some(({ failure }) => failure !== null)
// What a failed one has left running ends with it.
process.exit(failed || figures.some((figure) => meets(figure) === false) ? 1 : 0)

/** Each ratio is of what was measured in one run of its own bench: so the others may be of another day. */
async function keep(): Promise<void> {
  const docs = join(import.meta.dirname, '../../docs')
  const file = join(docs, 'benchmarks.json')
  const before = JSON.parse(readFileSync(file, 'utf8')) as Section[]
  const known = (name: string) => [...sections, ...before].find((section) => section.name === name) ?? []
  const all = benches.flatMap(({ name }) => known(name))
  writeFileSync(file, await format(JSON.stringify(all), { parser: 'json', printWidth: 120 }))
  writeFileSync(join(docs, 'benchmarks.md'), await format(pageOf(all), { parser: 'markdown', printWidth: 120 }))
  writeFileSync(join(docs, 'pictures', 'benchmarks.svg'), chartOf(all))
  const figures = all.flatMap((section) => section.figures)
  for (const by of growing(figures)) {
    const series = figures.flatMap((figure) => (figure.series?.by === by ? [figure.series] : []))
    writeFileSync(join(docs, 'pictures', seriesPicture(by)), seriesChart(series))
  }
}

function lineOf(figure: Figure): string {
  const { bar } = figure
  const met = meets(figure) === null ? '' : meets(figure) ? 'met' : 'NOT met'
  const wanted = bar === null ? '' : bar.most === undefined ? `at least ${bar.least}` : `at most ${bar.most}`
  return `${said(figure)}${figure.unit === undefined ? ' x' : ''}  ${figure.name} (${figure.of})  ${wanted} ${met}`.trimEnd()
}
