import type { Preview } from '../ledger/preview.ts'
import { isOurs } from '../service/records.ts'
import { isRequestOf } from '../service/network.ts'
import type { World } from '../world/world.ts'
import type { Finding } from './fault.ts'

/**
 * Finds requests that differ from the preview of a create for which the user chose to use the existing website, although nothing
 * was changed in between (docs/sync.md#one-row-for-one-website).
 */
export function judgePreviews({ previews, service, network, ledger }: World): Finding[] {
  if (service.clockWasSet) return []
  return previews.flatMap(({ website, states, requests, key, at, form }): Finding[] => {
    const later = network.sent.slice(requests)
    const write = later.find((sent) => sent.method === 'PUT' && isOurs(sent) && isRequestOf(website)(sent))
    if (write === undefined) return []
    const between = website.states.filter((state) => state.at <= write.at && state.request !== write.n)
    const wasStale = later.some(({ n, lag }) => n < write.n && lag > 0)
    // The first of these decisions is the answer itself.
    const decisions = ledger.entries.get(key)?.decisions.filter((one) => one.at >= at && one.at <= write.at) ?? []
    if (between.length !== states || wasStale || decisions.length > 1) return []
    const text = textOf([...new URLSearchParams(write.body)])
    if (text === textOf(form)) return []
    const shown = `the preview showed ${textOf(form)}`
    return [{ count: 'wrong', text: `${website.domain}: request ${write.n} sent ${text}, and ${shown}` }]
  })
}

const textOf = (form: Preview['form']): string =>
  JSON.stringify(form.map(([name, value]) => [name, name === 'password' ? '' : value]))
