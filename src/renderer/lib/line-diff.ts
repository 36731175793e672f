/** A line of two compared lists. */
export interface DiffLine {
  text: string
  mark: 'same' | 'added' | 'removed'
}

/** Stands for lines with this mark that exceed the maximum. `folded`: their number. */
export interface DiffFold {
  folded: number
  mark: DiffLine['mark']
}

/** Maximum number of unchanged lines that a shortened diff shows. If there is just one more, it is shown too. */
const MAX_SAME = 3
/** Maximum number of added lines, and of removed lines, that a shortened diff shows. If there is just one more, it is shown. */
const MAX_CHANGED = 40

/** Returns the lines of `before` with the removed ones marked, and then the added lines. A moved line counts as unchanged. */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  const [had, has] = [new Set(before), new Set(after)]
  return [
    ...before.map((text): DiffLine => ({ text, mark: has.has(text) ? 'same' : 'removed' })),
    ...after.filter((text) => !had.has(text)).map((text): DiffLine => ({ text, mark: 'added' })),
  ]
}

/** Shortens a diff: unchanged lines, then removed ones, then added ones, with a {@link DiffFold} for those beyond the maximum. */
export function foldLines(lines: readonly DiffLine[]): (DiffLine | DiffFold)[] {
  return (['same', 'removed', 'added'] as const).flatMap((mark) => {
    const all = lines.filter((line) => line.mark === mark)
    const shown = mark === 'same' ? MAX_SAME : MAX_CHANGED
    // A single skipped line takes no more room than its count.
    if (all.length <= shown + 1) return all
    return [...all.slice(0, shown), { folded: all.length - shown, mark }]
  })
}
