import { overlap, parseRange } from '../../shared/ip-range.ts'

/** Returns a test for entries of an exclude list that have an address in common with `range`. */
export function overlapWith(range: string): (entry: string) => boolean {
  const wanted = parseRange(range)
  return (entry) => {
    const given = wanted && parseRange(entry.trim())
    return given !== null && wanted !== null && overlap(wanted, given)
  }
}
