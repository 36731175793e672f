import { listNames } from '../../../shared/fields.ts'
import type { WebsiteSettings } from '../../../shared/website.ts'

/** Three versions of a list of lines, which the service treats as a set. Each is in the order in which it was read or typed. */
interface ListSides {
  base: readonly string[]
  theirs: readonly string[]
  ours: readonly string[]
}

/** Returns the lines that are not among `removedLines`, in their order. */
const without = (lines: readonly string[], removedLines: readonly string[]): string[] => {
  const removed = new Set(removedLines)
  return lines.filter((line) => !removed.has(line))
}

/** True if both lists have the same lines in any order. */
export const areSameLines = (a: readonly string[], b: readonly string[]): boolean =>
  without(a, b).length === 0 && without(b, a).length === 0

/**
 * Returns the lines of `theirs` in their order, without those that we removed and with those that we added
 * (docs/sync.md#merging-lists). The function also coalesces edits and undoes changes; for an undo, `ours` is the list before the
 * change. It therefore knows no conflicts: those are decided in reconcile/merge.ts, with {@link isClearedAndChanged}.
 */
export function mergeLines({ base, theirs, ours }: ListSides): string[] {
  if (areSameLines(theirs, base)) return [...ours]
  const added = new Set(without(without(ours, base), theirs))
  return [...without(theirs, without(base, ours)), ...added]
}

/** Merges each list that all three sides have. */
export function mergeLists(sides: Record<keyof ListSides, Partial<WebsiteSettings>>): Partial<WebsiteSettings> {
  const merged: Partial<WebsiteSettings> = {}
  for (const name of listNames) {
    const [base, theirs, ours] = [sides.base[name], sides.theirs[name], sides.ours[name]]
    if (base && theirs && ours) merged[name] = mergeLines({ base, theirs, ours })
  }
  return merged
}

/**
 * Merges lines as {@link mergeLines} does, if requests for the list may or may not have been applied on top of the base. A line
 * that a request may have added is removed unless `ours` has it, and a line that a request may have removed is put back if `ours`
 * has it. `before` is the list that a request was made for: lines that the request only repeated are no change of ours.
 */
export function mergePossiblySentLines(
  { base, theirs, ours }: ListSides,
  requested: readonly { before: readonly string[]; lines: readonly string[] }[],
): string[] {
  const possible = [...base, ...requested.flatMap(({ before, lines }) => without(lines, before))]
  const removed = new Set(requested.flatMap(({ before, lines }) => without(before, lines)))
  const certain = base.filter((line) => !removed.has(line))
  const added = new Set(without(without(ours, certain), theirs))
  return [...without(theirs, without(possible, ours)), ...added]
}

/** True if one side has cleared the list and the other has changed it: merging lines would satisfy neither. */
export function isClearedAndChanged({ base, theirs, ours }: ListSides): boolean {
  const clears = (lines: readonly string[]) => base.length > 0 && lines.length === 0
  if (clears(ours)) return !clears(theirs) && !areSameLines(theirs, base)
  return clears(theirs) && !areSameLines(ours, base)
}
