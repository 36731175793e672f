export interface DiffLine {
  text: string
  mark: 'same' | 'added' | 'removed'
}

/** A run of lines that are the same on both sides, or of more lines than can be looked at: their number stands for them. */
export interface DiffFold {
  folded: number
  mark: DiffLine['mark']
}

const KEPT = 3
const CHANGED = 40

/** What a list has become: the lines of `before` in their order, those that are gone marked, then what was added. */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  const [had, has] = [new Set(before), new Set(after)]
  return [
    ...before.map((text): DiffLine => ({ text, mark: has.has(text) ? 'same' : 'removed' })),
    ...after.filter((text) => !had.has(text)).map((text): DiffLine => ({ text, mark: 'added' })),
  ]
}

/** A list of ten thousand lines is shown by what differs, and never by more than can be read. */
export function foldLines(lines: readonly DiffLine[]): (DiffLine | DiffFold)[] {
  return (['same', 'removed', 'added'] as const).flatMap((mark) => {
    const all = lines.filter((line) => line.mark === mark)
    const shown = mark === 'same' ? KEPT : CHANGED
    // One line more takes no more room than its number.
    if (all.length <= shown + 1) return all
    return [...all.slice(0, shown), { folded: all.length - shown, mark }]
  })
}
