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

/** The toast after a form was left without a question, because its unsaved text is kept (see `keptForms` in the editor). */
export const draftKeptAsideText = ({ website }: WebsiteForm): string =>
  website ? m.editor_draft_kept({ domain: shortDomain(website.domain) }) : m.editor_draft_kept_new()

const TYPING_PAUSE = 200 // milliseconds without another key
const MAX_DELAY = 1000 // milliseconds for which keys without a pause can delay the report

/**
 * Sends all drafts to main when the user pauses typing, at the latest after {@link MAX_DELAY}. Returns a function that sends them
 * at once. Must be called inside an effect.
 */
export function keepFormDrafts(app: App): () => void {
  let kept: FormDrafts | null = null
  /** The time at which the unsent changes have to be sent at the latest. Null if all are sent. */
  let due: number | null = null
  /**
   * If main rejects the drafts as too long, it keeps the last accepted ones, and `held` keeps the page open with the new text.
   */
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
 * Restores the drafts and the list position from before the page was closed. If the user has already opened a form, it stays
 * open, and the draft of the former form is kept aside.
 */
export async function resumeFormDrafts(app: App, { form, aside = [], list }: FormDrafts): Promise<void> {
  const account = app.appState?.connection?.id
  /** True once the user has switched to another account, whose screens must not get these drafts. */
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
 * Returns a form with the draft and the website's current values. If the website can't be read, shows a toast, and returns a form
 * for a new website with the draft's values, or null if nothing was typed.
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

/** Returns the drafts to keep. `held` is true if the page shows input or a question that can't be kept as a draft. */
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
