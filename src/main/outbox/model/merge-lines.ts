import { listNames } from '../../../shared/fields.ts'
import type { WebsiteSettings } from '../../../shared/website.ts'

/** Three versions of a list, which the service treats as a set of lines. */
interface ListSides {
  base: readonly string[]
  theirs: readonly string[]
  ours: readonly string[]
}

const without = (lines: readonly string[], removedLines: readonly string[]): string[] => {
  const removed = new Set(removedLines)
  return lines.filter((line) => !removed.has(line))
}

/** Ignores the order of the lines. */
export const areSameLines = (a: readonly string[], b: readonly string[]): boolean =>
  without(a, b).length === 0 && without(b, a).length === 0

/**
 * Returns `theirs` without the lines that we removed and with those that we added (docs/sync.md#merging-lists). Coalescing and
 * undo use this function as well, so it knows no conflicts ({@link isClearedAndChanged}).
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
 * Like {@link mergeLines}, if requests for the list may or may not have been applied on top of the base. Removes a line that a
 * request may have added, unless `ours` has it; puts back a line that a request may have removed, if `ours` has it. `before`: the
 * list that a request was made for, so that lines it only repeated are no change of ours.
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

/** True for a conflict that merging lines cannot solve: one side has cleared the list and the other has changed it. */
export function isClearedAndChanged({ base, theirs, ours }: ListSides): boolean {
  const clears = (lines: readonly string[]) => base.length > 0 && lines.length === 0
  if (clears(ours)) return !clears(theirs) && !areSameLines(theirs, base)
  return clears(theirs) && !areSameLines(ours, base)
}
