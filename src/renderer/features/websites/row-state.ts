import { websiteState, type StateLabel } from '../../../shared/display/states.ts'
import { formatList } from '../../../shared/display/format.ts'
import { fieldLabel } from '../../../shared/display/fields.ts'
import { m } from '../../../messages/index.ts'
import type { WebsiteView } from '../../../shared/website.ts'

/** `title`: a tooltip. */
export type RowState = StateLabel & { title?: string }

/** Returns the state in the row of a website, or undefined if there is nothing to say. The editor tells why a change is held. */
export function rowState(website: WebsiteView): RowState | undefined {
  const state = websiteState(website, null)
  if (state?.mark === 'waiting') {
    const fields = formatList(
      website.pending.map((name) => fieldLabel(name)),
      'unit',
    )
    return { ...state, title: m.list_state_pending({ fields }) }
  }
  return state
}
