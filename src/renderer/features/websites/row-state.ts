import { websiteState, type StateLabel } from '../../../shared/display/states.ts'
import { formatList } from '../../../shared/display/format.ts'
import { fieldLabel } from '../../../shared/display/fields.ts'
import { m } from '../../../messages/index.ts'
import type { WebsiteView } from '../../../shared/website.ts'

/** The state mark of a row, with a tooltip if there is more to say. */
export type RowState = StateLabel & { title?: string }

/** Returns the state mark of a website's row; undefined for a normal state. Why a change is held is shown in the editor. */
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
