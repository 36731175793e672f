/** One quantity, measured for Siteward and for a baseline. */
export interface Figure {
  what: string
  /** One value per round. */
  ours: readonly number[]
  baseline: readonly number[]
  /** The name of the baseline. */
  against: string
  unit: 'ms' | 'MB' | 'frames' | 'requests'
  /** The percentile that is compared, from 0 to 1. Default: the median. */
  percentile?: number
  /** The largest allowed ratio to the baseline (`times`), or the largest allowed difference from it in `unit` (`more`). */
  goal: { times: number } | { more: number }
}

export interface Comparison {
  name: string
  /** Null if the baseline is 0 and Siteward's value is not. */
  ratio: number | null
  /** The largest ratio that meets the goal. Null if the baseline is 0. */
  goal: number | null
  met: boolean
}

/** Milliseconds between two frames, at 60 frames a second. */
export const FRAME_TIME = 1000 / 60

/** Measures once and returns the value. `round` counts from 0. */
type Way = (round: number) => Promise<number>

/**
 * Measures Siteward and its baseline alternately, A B B A, so that the load of the machine affects both alike. The first rounds
 * warm up caches and compiled code and don't count.
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

/** Returns the smallest of the numbers that is at least as large as `share` (0 to 1) of them. NaN if there are no numbers. */
export function percentileOf(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

export function compare(name: string, { ours, baseline, percentile = 0.5, goal }: Figure): Comparison {
  const [own, other] = [percentileOf(ours, percentile), percentileOf(baseline, percentile)]
  const limit = 'times' in goal ? other * goal.times : other + goal.more
  const ratio = other === 0 ? (own === 0 ? 1 : null) : rounded(own / other)
  return { name, ratio, goal: other === 0 ? null : rounded(limit / other), met: own <= limit }
}

const rounded = (ratio: number): number => Math.round(ratio * 1000) / 1000

/** Returns the figures as a Markdown table. The range after a value covers the middle half of the rounds. */
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

function shown(values: readonly number[], { percentile = 0.5, unit }: Pick<Figure, 'percentile' | 'unit'>): string {
  const [low, high] = [percentileOf(values, 0.25), percentileOf(values, 0.75)].map(short)
  const spread = low === high ? '' : ` (${String(low)}–${String(high)})`
  return `${short(percentileOf(values, percentile))} ${unit}${spread}`
}

const short = (value: number): string => (value < 10 ? String(Number(value.toFixed(2))) : value.toFixed(0))
