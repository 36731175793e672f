import { fullErrorText } from '../../messages/errors.ts'
import { m } from '../../messages/index.ts'
import { shortDomain } from '../../shared/display/domain.ts'
import { MAX_KEPT_DRAFTS, type FormDrafts, type FormDraft } from '../../shared/form-draft.ts'
import type { Editor } from '../features/editor/editor.svelte.ts'
import type { PendingList } from '../features/pending/pending-list.svelte.ts'
import type { WebsiteList } from '../features/websites/website-list.svelte.ts'
import type { PresetList } from '../features/presets/preset-list.svelte.ts'
import type { BulkCreate } from '../features/bulk/bulk-create.svelte.ts'
import type { BulkEdit } from '../features/bulk/bulk-edit.svelte.ts'
import type { ConnectForm } from '../features/connect/connect-form.svelte.ts'
import { WebsiteForm } from '../features/editor/website-form.svelte.ts'
import { isPageHeld, isTextTypedOutsideEditor } from '../ui/hold-page.svelte.ts'
import type { BaseApp } from './base-app.ts'

interface App extends BaseApp {
  readonly editor: Editor
  readonly pending: PendingList
  readonly websites: WebsiteList
  readonly presets: PresetList
  readonly bulkCreate: BulkCreate
  readonly bulk: BulkEdit
  adding: ConnectForm | null
  readonly isStarted: boolean
}

/** Returns the text of the toast about a restored draft that is kept aside, because the user left it without typing. */
export const draftKeptAsideText = ({ website }: WebsiteForm): string =>
  website ? m.editor_draft_kept({ domain: shortDomain(website.domain) }) : m.editor_draft_kept_new()

const TYPING_PAUSE = 200 // milliseconds without another key
const MAX_DELAY = 1000 // milliseconds for which keys without a pause can delay the report

/**
 * Sends the form drafts to main after each change, once the typing pauses, but after a second at the latest. Returns a function
 * that sends them at once. Call it inside an effect.
 */
export function keepFormDrafts(app: App): () => void {
  let kept: FormDrafts | null = null
  /** The latest time at which the changes since the last report are sent. Null if there are none. */
  let due: number | null = null
  /** Sends the form drafts to main. If they are too long to be kept, main keeps the former ones, and must not close the page. */
  async function keep(formDrafts: FormDrafts): Promise<void> {
    const { account, list, typed = false } = formDrafts
    if ((await app.bridge.keepFormDrafts(formDrafts)).ok) kept = formDrafts
    else {
      const former = kept?.account === account ? kept : { form: null }
      await app.bridge.keepFormDrafts({ ...former, account, list, typed, held: true })
    }
  }
  $effect(() => {
    if (!app.isStarted) return
    const formDrafts = formDraftsOf(app)
    const now = performance.now()
    due ??= now + MAX_DELAY
    const timer = setTimeout(
      () => {
        due = null
        void keep(formDrafts)
      },
      Math.min(TYPING_PAUSE, due - now),
    )
    return () => clearTimeout(timer)
  })
  return () => void (app.isStarted && keep(formDraftsOf(app)))
}

/**
 * Restores the form drafts and the place in the list that were kept when the window was closed or reloaded, or the app ended. If
 * the user has opened a form already, it stays open, and the draft of the form that was open before is kept aside.
 */
export async function resumeFormDrafts(app: App, { form, aside = [], list }: FormDrafts): Promise<void> {
  const account = app.appState?.connection?.id
  /** True once another account is shown, in which nothing may be restored. */
  const isOver = () => app.appState?.connection?.id !== account
  const views = list.view === undefined ? null : await app.bridge.listViews()
  if (isOver()) return
  app.websites.resume(list, (views?.ok && views.value.find(({ id }) => id === list.view)) || null)
  const restored = await Promise.all([...aside, ...(form ? [form] : [])].map((draft) => formOf(app, draft)))
  if (isOver()) return
  const open = form && !app.editor.form ? restored.pop() : null
  for (const one of restored) if (one?.dirty) app.editor.keep(one)
  if (open) app.editor.resume(open)
}

/**
 * Returns the form of a draft with the current values of its website. If the website can't be read, such as one that no longer
 * exists, shows a toast and returns the form of a new website with the same values, or null if nothing was typed.
 */
async function formOf({ bridge, toasts }: App, { website: key, ...rest }: FormDraft): Promise<WebsiteForm | null> {
  if (key === null) {
    const presets = rest.preset === undefined ? null : await bridge.listPresets()
    return WebsiteForm.resumed(bridge, null, rest, presets?.ok ? presets.value : [])
  }
  const website = await bridge.getWebsite({ key })
  if (website.ok) return WebsiteForm.resumed(bridge, website.value, rest)
  if (rest.values === undefined) return null
  toasts.show(fullErrorText(website.error))
  const form = WebsiteForm.resumed(bridge, null, { typed: { ...rest.values, ...rest.typed }, seen: {}, cleared: [] })
  form.copied = true
  return form
}

/** Returns the drafts to keep, and whether some input, question or decision can't be kept (`held`). */
function formDraftsOf(app: App): FormDrafts {
  const { appState, editor, pending, screen, websites } = app
  const keptDrafts = editor.keptForms.map((form) => form.formDraft())
  const adding = app.adding?.filled === true
  const filling = adding || app.bulkCreate.text !== '' || app.bulk.open || app.presets.form.open
  const deciding = screen === 'pending' && pending.parked.length > 0
  return {
    account: appState?.connection?.id ?? null,
    form: editor.form?.formDraft() ?? null,
    ...(keptDrafts.length > 0 && { aside: keptDrafts.slice(-MAX_KEPT_DRAFTS) }),
    list: websites.place,
    held: isPageHeld() || !appState?.connection || deciding || filling,
    ...(isTextTypedOutsideEditor() && { typed: true }),
  }
}
