import type { FormDrafts, FormDraft } from '../../shared/form-draft.ts'
import type { SitewardBridge } from '../../preload/bridge.ts'
import type { AppState } from '../../shared/state.ts'
import type { Editor } from '../features/editor/editor.svelte.ts'
import type { HistoryList } from '../features/pending/history/history-list.svelte.ts'
import type { Leaving } from '../features/account/leaving.svelte.ts'
import type { PendingList } from '../features/pending/pending-list.svelte.ts'
import type { Removing } from '../features/settings/removing.svelte.ts'
import type { Screen } from '../../shared/destination.ts'
import type { WebsiteList } from '../features/websites/website-list.svelte.ts'
import type { PresetList } from '../features/presets/preset-list.svelte.ts'
import type { BulkCreate } from '../features/bulk/bulk-create.svelte.ts'
import type { BulkEdit } from '../features/bulk/bulk-edit.svelte.ts'
import type { ConnectForm } from '../features/connect/connect-form.svelte.ts'
import { WebsiteForm } from '../features/editor/website-form.svelte.ts'

interface Desk {
  readonly bridge: SitewardBridge
  readonly app: AppState | null
  readonly editor: Editor
  readonly history: HistoryList
  readonly leaving: Leaving
  readonly pending: PendingList
  readonly removing: Removing
  screen: Screen
  readonly websites: WebsiteList
  readonly presets: PresetList
  readonly bulkCreate: BulkCreate
  readonly bulk: BulkEdit
  adding: ConnectForm | null
  readonly begun: boolean
  readonly holds: number
}

const PAUSE = 200 // milliseconds without another key

/** Tells main what the person is in the middle of, as it changes. Within an effect. */
export function keepFormDrafts(desk: Desk): void {
  $effect(() => {
    if (!desk.begun) return
    const formDrafts = formDraftsOf(desk)
    const timer = setTimeout(() => void desk.bridge.keepFormDrafts(formDrafts), PAUSE)
    return () => clearTimeout(timer)
  })
}

/** Goes on with what a page before this one was in the middle of, where it was. */
export async function resume(desk: Desk, { form, list, changes }: FormDrafts): Promise<void> {
  desk.websites.resume(list)
  desk.pending.tab = changes
  if (!form || desk.editor.form) return
  const begun = await formOf(desk, form)
  if (begun) desk.editor.resume(begun)
}

async function formOf({ bridge }: Desk, { website: key, ...rest }: FormDraft): Promise<WebsiteForm | null> {
  if (key === null) return WebsiteForm.resumed(bridge, null, rest)
  const website = await bridge.getWebsite({ key })
  return website.ok ? WebsiteForm.resumed(bridge, website.value, rest) : null
}

function formDraftsOf(desk: Desk): FormDrafts {
  const { app, editor, history, leaving, pending, removing, screen, websites } = desk
  const asked =
    editor.asking ??
    editor.deleting ??
    history.asking ??
    pending.discarding ??
    pending.deletingAnyway ??
    removing.entry ??
    desk.presets.removing
  const adding = desk.adding?.filled === true
  const filling = adding || desk.bulkCreate.text !== '' || desk.bulk.open || desk.presets.form.open
  const deciding = screen === 'pending' && pending.parked.length > 0
  return {
    form: editor.form?.formDraft() ?? null,
    list: websites.place,
    changes: pending.tab,
    held: desk.holds > 0 || !app?.connection || asked !== null || leaving.open || deciding || filling,
  }
}
