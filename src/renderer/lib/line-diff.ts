export interface DiffLine {
  text: string
  mark: 'same' | 'added' | 'removed'
}

/** Lines with the same mark that are not shown, because there are more than the limit. `folded`: their number. */
export interface DiffFold {
  folded: number
  mark: DiffLine['mark']
}

/** Maximum number of unchanged lines that a shortened diff shows. If there is only one more, it is shown, too. */
const MAX_SAME = 3
/** Maximum number of added lines, and of removed ones, that a shortened diff shows. A single further one is shown, too. */
const MAX_CHANGED = 40

/**
 * Returns the lines of `before` in their order, with the removed ones marked, followed by the added lines. A line that has only
 * moved is the same.
 */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  const [had, has] = [new Set(before), new Set(after)]
  return [
    ...before.map((text): DiffLine => ({ text, mark: has.has(text) ? 'same' : 'removed' })),
    ...after.filter((text) => !had.has(text)).map((text): DiffLine => ({ text, mark: 'added' })),
  ]
}

/**
 * Shortens a diff: first the unchanged lines, then the removed and the added ones. A {@link DiffFold} stands for those of each
 * kind that exceed its maximum.
 */
export function foldLines(lines: readonly DiffLine[]): (DiffLine | DiffFold)[] {
  return (['same', 'removed', 'added'] as const).flatMap((mark) => {
    const all = lines.filter((line) => line.mark === mark)
    const shown = mark === 'same' ? MAX_SAME : MAX_CHANGED
    // A single skipped line takes no more room than its number.
    if (all.length <= shown + 1) return all
    return [...all.slice(0, shown), { folded: all.length - shown, mark }]
  })
}
