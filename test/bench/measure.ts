/** The same quantity, measured for Siteward and for its baseline. */
export interface Figure {
  what: string
  /** One value per round. */
  ours: readonly number[]
  baseline: readonly number[]
  /** The name of the baseline. */
  against: string
  unit: 'ms' | 'MB' | 'frames' | 'requests'
  /** The percentile that is compared, 0 to 1; the median without it. */
  percentile?: number
  /** The largest ratio to the baseline (`times`), or the largest difference from it in the figure's unit (`more`). */
  goal: { times: number } | { more: number }
}

/** A figure in the JSON output. */
export interface Comparison {
  name: string
  /** Null if the baseline is 0 and Siteward's value is not. */
  ratio: number | null
  /** The largest ratio that meets the goal; null if the baseline is 0. */
  goal: number | null
  met: boolean
}

/** Frames are drawn 60 times a second. */
export const FRAME_TIME = 1000 / 60

/** Measures the quantity once and returns it. The rounds count from 0. */
type Way = (round: number) => Promise<number>

/**
 * Measures two ways alternately, A B B A, so that the load of the machine affects both alike. The first rounds warm up
 * caches and compiled code and don't count.
 */
export async function inTurn(
  ours: Way,
  baseline: Way,
  { rounds, warm = 1 }: { rounds: number; warm?: number },
): Promise<Pick<Figure, 'ours' | 'baseline'>> {
  const measured = { ours: [] as number[], baseline: [] as number[] }
  const ways = { ours, baseline }
  for (let round = 0; round < warm + rounds; round++)
    for (const name of round % 2 === 0 ? (['ours', 'baseline'] as const) : (['baseline', 'ours'] as const)) {
      const value = await ways[name](round)
      if (round >= warm) measured[name].push(value)
    }
  return measured
}

/** Returns the smallest of the numbers that is at least as large as this share (0 to 1) of them. NaN if there are none. */
export function percentileOf(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

/** Compares the figure's percentile for Siteward and for the baseline. */
export function compare(name: string, { ours, baseline, percentile = 0.5, goal }: Figure): Comparison {
  const [own, other] = [percentileOf(ours, percentile), percentileOf(baseline, percentile)]
  const limit = 'times' in goal ? other * goal.times : other + goal.more
  const ratio = other === 0 ? (own === 0 ? 1 : null) : rounded(own / other)
  return { name, ratio, goal: other === 0 ? null : rounded(limit / other), met: own <= limit }
}

const rounded = (ratio: number): number => Math.round(ratio * 1000) / 1000

/** Returns the figures as a Markdown table. The range after a value is that of the middle half of the rounds. */
export function tableOf(figures: ReadonlyMap<string, Figure>): string {
  const rows = [...figures].map(([name, figure]) => {
    const { what, ours, baseline, against, unit, goal } = figure
    const { ratio, met } = compare(name, figure)
    const wanted = 'times' in goal ? `${String(goal.times)}x` : `+${String(goal.more)} ${unit}`
    const cells = [name, what, shown(ours, figure), shown(baseline, figure), ratio?.toFixed(2) ?? '', wanted]
    return `| ${[...cells, met ? 'yes' : 'no', against].join(' | ')} |`
  })
  const head = '| name | what | Siteward | baseline | ratio | goal | met | the baseline |'
  return [head, '| --- | --- | ---: | ---: | ---: | ---: | --- | --- |', ...rows].join('\n')
}

/** Returns the compared percentile with its unit and, if the rounds differ, the middle half of them. */
function shown(values: readonly number[], { percentile = 0.5, unit }: Pick<Figure, 'percentile' | 'unit'>): string {
  const [low, high] = [percentileOf(values, 0.25), percentileOf(values, 0.75)].map(short)
  const spread = low === high ? '' : ` (${String(low)}–${String(high)})`
  return `${short(percentileOf(values, percentile))} ${unit}${spread}`
}

const short = (value: number): string => (value < 10 ? String(Number(value.toFixed(2))) : value.toFixed(0))
