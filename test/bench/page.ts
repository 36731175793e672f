import Database from 'better-sqlite3'
import { cpus, totalmem } from 'node:os'
import { readFileSync } from 'node:fs'
import { presentRuntime } from '../../scripts/runtime.mjs'
import { meets, said, type Figure } from './figure.ts'
import { seriesPicture } from './series-chart.ts'

/** One bench with what it has measured. */
export interface Section {
  name: string
  about: string
  figures: readonly Figure[]
  /** Why there are none; null: nothing went wrong. */
  failure: string | null
  /** On what day, and with what. */
  measured: string
}

/** Today, here. */
export function measuredNow(): string {
  const where = Object.entries(machine()).map(([name, value]) => `${name} ${value}`)
  return `${new Date().toISOString().slice(0, 10)} with ${where.join(', ')}`
}

/** Where and with what it was measured. */
export const machine = () => ({
  cpu: cpus()[0]?.model.trim() ?? '',
  cores: cpus().length,
  memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
  platform: process.platform,
  node: process.versions.node,
  electron: presentRuntime().version,
  sqlite: new Database(':memory:').prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? '',
  ...versionsOf('svelte', 'better-sqlite3'),
})

/** docs/benchmarks.md, as `npm run bench` writes it. */
export function pageOf(sections: readonly Section[]): string {
  return [
    '# Benchmarks',
    '',
    'Written by `npm run bench`, which anybody can repeat. Each figure is a **ratio** of two things that were measured in turn in one ' +
      'run, A B A B, as the median of the rounds: what else the machine did meets both alike. The times beside it tell of what it ' +
      'is made, and mean nothing on another machine. A bar is what was promised; where there is none, the figure is there to ' +
      'compare with. What time goes into where one isn’t met, and what can’t be had with less, is [beside](speed.md).',
    '',
    '![The ratios, and their bars](pictures/benchmarks.svg)',
    ...sections.flatMap(sectionOf),
    '',
  ].join('\n')
}

function sectionOf({ name, about, figures, failure, measured }: Section): string[] {
  if (failure !== null) return ['', `## ${name}`, '', about, '', `**Not measured on ${measured}:** ${failure}`]
  const rows = figures.map((figure) => {
    const { bar } = figure
    const wanted = bar === null ? '' : bar.most === undefined ? `≥ ${bar.least}` : `≤ ${bar.most}`
    const met = meets(figure)
    return `| ${figure.name} | ${said(figure)} | ${wanted} | ${met === null ? '' : met ? 'met' : '**not met**'} | ${figure.of} |`
  })
  const pictures = growing(figures).map((by) => `![By the number of ${by}](pictures/${seriesPicture(by)})`)
  return [
    '',
    `## ${name}`,
    '',
    about,
    '',
    ...(pictures.length === 0 ? [] : [pictures.join(' '), '']),
    '| what | ratio | bar | | made of |',
    '| --- | ---: | ---: | --- | --- |',
    ...rows,
    '',
    `Measured on ${measured}.`,
  ]
}

/** What costs are shown to grow with. */
export const growing = (figures: readonly Figure[]): string[] => [
  ...new Set(figures.flatMap(({ series }) => series?.by ?? [])),
]

const ROW = 22
const LEFT = 525
const WIDTH = 1005
/** A ratio of so much fills the width; what is longer ends there. */
const MOST = 5

/** The ratios as bars, with a line where each has to end. */
export function chartOf(sections: readonly Section[]): string {
  // What counts something else than how many times as much can't be beside.
  const figures = sections.flatMap((section) => section.figures).filter(({ unit }) => unit === undefined)
  const at = (ratio: number): number => LEFT + (Math.min(ratio, MOST) / MOST) * (WIDTH - LEFT - 60)
  const rows = figures.map((figure, n) => {
    const y = n * ROW + 10
    const end = at(figure.ratio)
    const colour = meets(figure) === false ? '#b3261e' : meets(figure) === null ? '#8a8a86' : '#0f6e5c'
    const limit = figure.bar?.most
    return [
      `<text x="${LEFT - 8}" y="${y + 12}" text-anchor="end">${escaped(figure.name)}</text>`,
      `<rect x="${LEFT}" y="${y + 2}" width="${Math.max(1, end - LEFT).toFixed(1)}" height="13" rx="2" fill="${colour}"/>`,
      `<text x="${(end + 6).toFixed(1)}" y="${y + 12}">${figure.ratio.toFixed(2)}</text>`,
      ...(limit === undefined
        ? []
        : [`<path d="M${at(limit).toFixed(1)} ${y - 2}v21" stroke="#3a3a38" stroke-dasharray="2 2"/>`]),
    ].join('')
  })
  const height = figures.length * ROW + 20
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="11" ` +
    `fill="#3a3a38"><rect width="${WIDTH}" height="${height}" fill="#fbfbf9"/>${rows.join('')}</svg>\n`
  )
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function versionsOf(...names: string[]): Record<string, string> {
  const read = (name: string) =>
    (JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')) as { version: string }).version
  return Object.fromEntries(names.map((name) => [name, read(name)]))
}
