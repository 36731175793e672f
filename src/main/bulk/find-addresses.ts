import { MAX_BULK_WEBSITES } from '../../shared/fields.ts'
import { linesOfAddresses } from '../../shared/named-address.ts'
import { ok, type Result } from '../../shared/result.ts'
import type { View } from '../replica/view.ts'
import { slices } from '../../shared/slices.ts'

/** Number of websites that are read in one turn of the event loop. */
const SLICE = 100

/**
 * Returns the keys of the websites whose exclude list has all of these addresses, at most {@link MAX_BULK_WEBSITES}, the number of the
 * others, the number of those whose list is unknown, and the lines that stand for the addresses, in each spelling that is used.
 * Errors: `storage`.
 */
export async function findAddresses(
  view: Pick<View, 'judge' | 'websites'>,
  addresses: readonly string[],
): Promise<Result<{ keys: string[]; lines: string[]; leftOut: number; unknown: number }>> {
  const [first = ''] = addresses
  const judged = await view.judge([{ name: 'ip', value: first, not: false }])
  if (!judged.ok) return judged
  const keys: string[] = []
  const lines = new Set<string>()
  for await (const slice of slices(judged.value.keys, SLICE)) {
    const websites = view.websites(slice)
    if (!websites.ok) return websites
    for (const { key, exclude_ips = [] } of websites.value) {
      const found = linesOfAddresses(exclude_ips, addresses)
      if (found === null) continue
      keys.push(key)
      for (const line of found) lines.add(line)
    }
  }
  const leftOut = Math.max(0, keys.length - MAX_BULK_WEBSITES)
  return ok({ keys: keys.slice(0, MAX_BULK_WEBSITES), lines: [...lines], leftOut, unknown: judged.value.unknown })
}
