import type { Count, Finding } from './judge/fault.ts'

export interface Report {
  seed: number
  edits: number
  findings: Finding[]
}

type Counts = Record<Count, number>

export interface Totals {
  schedules: number
  edits: number
  counts: Counts
  failures: Report[]
}

export const MAX_KEPT_FAILURES = 50

export const noTotals = (): Totals => ({
  schedules: 0,
  edits: 0,
  counts: { lost: 0, silent: 0, false: 0, wrong: 0 },
  failures: [],
})

export function addReports(totals: Totals, reports: readonly Report[]): void {
  for (const report of reports) {
    totals.schedules += 1
    totals.edits += report.edits
    for (const { count } of report.findings) totals.counts[count] += 1
    if (report.findings.length > 0 && totals.failures.length < MAX_KEPT_FAILURES) totals.failures.push(report)
  }
}

export const isClean = ({ counts }: Totals): boolean => Object.values(counts).every((count) => count === 0)

export const formatTotals = (edits: number, { counts }: Totals): string =>
  `edits=${edits} lost=${counts.lost} silent=${counts.silent} false=${counts.false} wrong=${counts.wrong}`

export const formatReport = ({ seed, findings }: Report): string =>
  [`schedule ${seed}`, ...findings.map(({ count, text }) => `  ${count}: ${text}`)].join('\n')
