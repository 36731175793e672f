export interface DiffLine {
  text: string
  mark: 'same' | 'added' | 'removed'
}

/** Lines with the same mark that are not shown, because there are more than the limit. `folded`: their number. */
export interface DiffFold {
  folded: number
  mark: DiffLine['mark']
}

/** Maximum number of lines that are the same, and of lines of each kind that differ, which a shortened diff shows. */
const MAX_SAME = 3
const MAX_CHANGED = 40

/** Returns the lines of `before` in their order, with the removed ones marked, followed by the added lines. */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  const [had, has] = [new Set(before), new Set(after)]
  return [
    ...before.map((text): DiffLine => ({ text, mark: has.has(text) ? 'same' : 'removed' })),
    ...after.filter((text) => !had.has(text)).map((text): DiffLine => ({ text, mark: 'added' })),
  ]
}

/** Shortens a diff: first a few of the equal lines, then the removed and the added ones, each up to a limit. */
export function foldLines(lines: readonly DiffLine[]): (DiffLine | DiffFold)[] {
  return (['same', 'removed', 'added'] as const).flatMap((mark) => {
    const all = lines.filter((line) => line.mark === mark)
    const shown = mark === 'same' ? MAX_SAME : MAX_CHANGED
    // A single skipped line takes no more room than its number.
    if (all.length <= shown + 1) return all
    return [...all.slice(0, shown), { folded: all.length - shown, mark }]
  })
}
