import type { Series } from './figure.ts'

const WIDTH = 440
const HEIGHT = 260
const AROUND = { left: 74, right: 104, top: 14, bottom: 34 }
const COLOURS = ['#0f6e5c', '#8a5a00', '#b3261e', '#3f51a5', '#6b3fa0', '#3a3a38']
/** Between the names beside the ends of the lines. */
const APART = 13

/** The name of the picture's file. */
export const seriesPicture = (by: string): string => `benchmarks-by-${by.replaceAll(/\W+/g, '-').replace(/-$/, '')}.svg`

/** Lines over two logarithmic axes: a line that rises by one decade in each is linear. */
export function seriesChart(series: readonly Series[]): string {
  const all = { at: series.flatMap(({ at }) => at), ms: series.flatMap(({ ms }) => ms) }
  const x = scaleOf(all.at, AROUND.left, WIDTH - AROUND.right)
  const y = scaleOf(all.ms, HEIGHT - AROUND.bottom, AROUND.top)
  const grid = [
    ...y.decades.map(
      (ms) =>
        `<path d="M${AROUND.left} ${y.place(ms)}H${WIDTH - AROUND.right}" stroke="#e2e2dc"/>` +
        `<text x="${AROUND.left - 6}" y="${y.place(ms)}" dy="4" text-anchor="end">${shortly(ms)} ms</text>`,
    ),
    ...x.decades.map(
      (count) =>
        `<text x="${x.place(count)}" y="${HEIGHT - AROUND.bottom + 16}" text-anchor="middle">${shortly(count)}</text>`,
    ),
  ]
  const named = apart(series.map(({ ms }) => y.place(ms.at(-1) ?? 1)))
  const lines = series.map(({ name, at, ms }, n) => {
    const colour = COLOURS[n % COLOURS.length] ?? ''
    const points = at.map((count, index) => [x.place(count), y.place(ms[index] ?? 1)] as const)
    return (
      `<path d="M${points.map((point) => point.join(' ')).join('L')}" fill="none" stroke="${colour}" stroke-width="2"/>` +
      points.map(([left, top]) => `<circle cx="${left}" cy="${top}" r="2.5" fill="${colour}"/>`).join('') +
      `<text x="${WIDTH - AROUND.right + 7}" y="${named[n] ?? 0}" dy="4" fill="${colour}">${name}</text>`
    )
  })
  const by = `<text x="${(AROUND.left + WIDTH - AROUND.right) / 2}" y="${HEIGHT - 4}" text-anchor="middle">${series[0]?.by ?? ''}</text>`
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="11" ` +
    `fill="#3a3a38"><rect width="${WIDTH}" height="${HEIGHT}" fill="#fbfbf9"/>${[...grid, ...lines].join('')}${by}</svg>\n`
  )
}

/** Each where it was, or below the one above it. */
function apart(heights: readonly number[]): number[] {
  const placed = [...heights]
  let above = -Infinity
  for (const n of [...heights.keys()].toSorted((a, b) => (heights[a] ?? 0) - (heights[b] ?? 0))) {
    above = Math.max(heights[n] ?? 0, above + APART)
    placed[n] = above
  }
  return placed
}

/** Whole decades around the values, and where a value stands between two places. */
function scaleOf(values: number[], from: number, to: number) {
  const first = Math.floor(Math.log10(Math.min(...values)))
  const last = Math.max(first + 1, Math.ceil(Math.log10(Math.max(...values))))
  return {
    decades: Array.from({ length: last - first + 1 }, (_, n) => 10 ** (first + n)),
    place: (value: number): number => Math.round(from + ((Math.log10(value) - first) / (last - first)) * (to - from)),
  }
}

const shortly = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 3 })
