import { MAX_BULK_WEBSITES } from '../../shared/fields.ts'
import { addressKey, linesOfAddresses } from '../../shared/named-address.ts'
import { ok, type Result } from '../../shared/result.ts'
import { isBeingDeleted } from './changes.ts'
import type { View } from '../replica/view.ts'
import { slices } from '../../shared/slices.ts'

/** Number of websites that are read in one turn of the event loop. */
const SLICE = 100

/**
 * Finds the websites whose exclude list has all of these addresses, except those that are being deleted. `keys`: at most {@link
 * MAX_BULK_WEBSITES} of them. `leftOut`: the number of those beyond this limit. `lines`: the list lines that stand for the
 * addresses, in every spelling found. `partial`: the number of websites with only some of the addresses. `unknown`: the number of
 * websites whose list the service doesn't return. Errors: `storage`.
 */
export async function findWebsitesExcluding(
  view: Pick<View, 'judge' | 'keys' | 'websites'>,
  addresses: readonly string[],
): Promise<Result<{ keys: string[]; lines: string[]; leftOut: number; partial: number; unknown: number }>> {
  const judged = await view.judge(addresses.map((value) => ({ name: 'ip', value, not: true })))
  if (!judged.ok) return judged
  const all = await view.keys({ search: '', sort_by: 'domain', sort: 'asc', filters: [] }, 0, judged.value.total)
  if (!all.ok) return all
  const { unknown } = judged.value
  const none = new Set(judged.value.keys)
  // No website has to be read if each one either has none of the addresses or an unknown list.
  const candidates = none.size + unknown < all.value.length ? all.value.filter((key) => !none.has(key)) : []
  const keys: string[] = []
  let partial = 0
  const wanted = new Set(addresses.map(addressKey))
  const lines = new Set<string>()
  for await (const slice of slices(candidates, SLICE)) {
    const websites = view.websites(slice)
    if (!websites.ok) return websites
    for (const website of websites.value) {
      if (isBeingDeleted(website)) continue
      const { key, exclude_ips = [] } = website
      const found = linesOfAddresses(exclude_ips, addresses)
      if (found === null) {
        if (exclude_ips.some((line) => wanted.has(addressKey(line)))) partial += 1
        continue
      }
      keys.push(key)
      for (const line of found) lines.add(line)
    }
  }
  const leftOut = Math.max(0, keys.length - MAX_BULK_WEBSITES)
  return ok({ keys: keys.slice(0, MAX_BULK_WEBSITES), lines: [...lines], leftOut, partial, unknown })
}
