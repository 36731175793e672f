/** One row of the results: the same quantity, measured for Siteward and for its baseline in turn. */
export interface Figure {
  what: string
  /** One value per round. */
  ours: readonly number[]
  baseline: readonly number[]
  /** The name of the baseline. */
  against: string
  unit: 'ms' | 'MB' | 'frames' | 'requests' | 'processes'
  /** The percentile that is shown, 0 to 1; the median without it. */
  percentile?: number
}

/** Measures its quantity once; the rounds count from 0. */
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

/** Returns the smallest of the numbers that at least this share of them (0 to 1) doesn't exceed. */
function percentileOf(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Returns the results as a Markdown table. */
export function tableOf(figures: readonly Figure[]): string {
  const rows = figures.map(({ what, ours, baseline, against, unit, percentile = 0.5 }) => {
    const [own, other] = [percentileOf(ours, percentile), percentileOf(baseline, percentile)]
    const said = (value: number): string =>
      `${value < 10 ? String(Number(value.toFixed(2))) : value.toFixed(0)} ${unit}`
    return `| ${[what, said(own), said(other), other === 0 ? '' : (own / other).toFixed(2), against].join(' | ')} |`
  })
  return ['| what | Siteward | baseline | ratio | the baseline |', '| --- | ---: | ---: | ---: | --- |', ...rows].join(
    '\n',
  )
}
