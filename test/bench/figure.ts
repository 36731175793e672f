/** One line of the suite: a ratio of two things measured in one run, and what it may be. */
export interface Figure {
  /** Which bench, and of what: `enqueue: bare commit, 1000 queued`. */
  name: string
  ratio: number
  /** What the ratio counts, where it isn't how many times as much: `frames`. */
  unit?: string
  /** Null: nothing is promised, it's shown to compare. */
  bar: { most?: number; least?: number } | null
  /** The two medians that it's made of, with their units, in words. */
  of: string
  /** Where it tells how a cost grows: milliseconds at so many of something. */
  series?: Series
}

export interface Series {
  /** What is done. */
  name: string
  /** What there is more and more of. */
  by: string
  at: number[]
  ms: number[]
}

export const meets = ({ ratio, bar }: Figure): boolean | null =>
  bar === null ? null : ratio <= (bar.most ?? Infinity) && ratio >= (bar.least ?? -Infinity)

export interface Bench {
  name: string
  /** What is compared with what, for the page of figures. */
  about: string
  /** `quick`: with few rounds, to see that it runs. */
  run: (options: { quick: boolean }) => Promise<Figure[]>
}

/** The ratio, in words. */
export const said = ({ ratio, unit }: Figure): string => `${ratio.toFixed(2)}${unit === undefined ? '' : ` ${unit}`}`
