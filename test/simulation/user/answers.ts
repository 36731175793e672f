import type { EditView, Resolution } from '../../../src/shared/edit.ts'
import { notAsShown } from '../ledger/intent.ts'
import type { Preview } from '../ledger/preview.ts'
import { isRequestOf } from '../service/network.ts'
import type { World } from '../world/world.ts'

/** In milliseconds after the start: how long the app distrusts a changed website of a service without times. */
const DISTRUST_TIME = 10_000

/**
 * Prepares to record an answer of the user. Must be called right before the answer. The returned function records what the answer
 * covers (docs/sync.md#answers-of-the-user).
 */
export function answering({ app, network, service, time, answers }: World, edit: EditView) {
  const id = app.view.get(edit.website)?.id
  const website = service.websites.find((one) => one.id === id || String(one.number) === id)
  const [states, requests] = [website?.states.length ?? 0, network.sent.length]
  const trusts = service.quirks.times !== 'none' || app.appRun.monotonic() > DISTRUST_TIME
  const canRead = network.weather === 'fair' && app.reach.gate().open && trusts
  return (resolution: Resolution): void => {
    const isHeard = network.sent.slice(requests).every(({ received, lag }) => received && lag === 0)
    const units = resolution.way === 'units' ? Object.keys(resolution.units) : []
    if (website !== undefined && canRead && isHeard) answers.set(edit.id, { website, states, at: time.now, units })
  }
}

/** Returns the preview of a parked create. Null if it shows an old state, or if other edits of the domain are pending. */
export function previewOf({ app, service, network, time }: World, edit: EditView): Preview | null {
  const website = service.websites.find((one) => one.deleted === null && isRequestOf(one)(edit.request))
  const [state, { key, form, method }] = [website?.states.at(-1), { key: edit.website, ...edit.request }]
  const isAlone = app.edits().every(({ id, domain }) => id === edit.id || domain !== edit.domain)
  if (website === undefined || state === undefined || method !== 'PUT' || !isAlone) return null
  if (notAsShown(edit.conflict?.theirs ?? {}, state.fields).length > 0) return null
  return { website, states: website.states.length, requests: network.sent.length, key, at: time.now, form }
}
