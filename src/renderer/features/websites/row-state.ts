import { websiteState, type StateLabel } from '../../../shared/display/states.ts'
import { fieldLabel } from '../../../shared/display/fields.ts'
import { m } from '../../../messages/index.ts'
import type { WebsiteView } from '../../../shared/website.ts'
import { formatExact } from '../../../shared/display/format.ts'
import { remoteChangeFields, remoteChangeSeen } from '../shared/remote-change.ts'

/** `title`: a tooltip; `more`: the part of it that screen readers announce too. */
export type RowState = StateLabel & { title?: string; more?: string }

/** Returns the state in the row of a website, or undefined if there is nothing to say. The editor tells why a change is held. */
export function rowState(website: WebsiteView): RowState | undefined {
  const state = websiteState(website, null)
  if (state?.mark === 'waiting') {
    const fields = website.pending.map((name) => fieldLabel(name)).join(', ')
    return { ...state, title: m.list_state_pending({ fields }) }
  }
  if (state) return state
  if (!website.remoteChange) return undefined
  const { remoteChange } = website
  const more = remoteChangeFields(remoteChange)
  return {
    words: remoteChange.what === 'added' ? m.remote_added() : m.remote_changed(),
    tone: 'plain',
    mark: 'remoteChange',
    title: remoteChangeSeen(remoteChange, formatExact(remoteChange.at)),
    ...(more && { more }),
  }
}
