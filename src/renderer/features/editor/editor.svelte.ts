import type { SitewardBridge } from '../../../preload/bridge.ts'
import type { EditView } from '../../../shared/edit.ts'
import type { Preset } from '../../../shared/preset.ts'
import type { AppError } from '../../../shared/result.ts'
import type { FieldName, WebsiteView } from '../../../shared/website.ts'
import { isolateText } from '../../../shared/display/visible.ts'
import { coalesced } from '../../lib/coalesced.ts'
import type { ActivityList } from '../shared/activity-list.svelte.ts'
import { WebsiteForm } from './website-form.svelte.ts'

/** Direction in the list of websites: `next` is down. */
export type ListDirection = 'next' | 'previous'

export type EditorTab = 'settings' | 'history'

/** The question whether unsaved text may be discarded. */
interface LeaveQuestion {
  /** Called if the user agrees to discard the text. */
  agreed: () => void
  /** Called if the user saves the form instead. If other forms have unsaved text, the question is asked again for these. */
  saved: () => void
  /** Number of other forms whose text would be discarded too. */
  others: number
}

/** The side pane with the editor. It asks before unsaved text is discarded. */
export class Editor {
  readonly #bridge: SitewardBridge
  readonly #onSaved: (website: WebsiteView, isNew: boolean) => void
  readonly #onKept: (form: WebsiteForm) => void
  readonly #forNew: () => Preset | null

  form: WebsiteForm | null = $state.raw(null)
  asking: LeaveQuestion | null = $state.raw(null)
  /**
   * Forms that were left without a question: restored drafts without new text, and unsaved text of websites that are being
   * deleted. Opening the website shows its form again.
   */
  keptForms: readonly WebsiteForm[] = $state.raw([])
  /** The typed text of each restored draft when it was restored, to find out if the user has typed since. */
  readonly #restored = new WeakMap<WebsiteForm, string>()
  /** The action to run after the save that is in progress. A later action replaces it. */
  #next: (() => void) | null = null
  /** The website in the open question whether to delete it. */
  deleting: WebsiteView | null = $state.raw(null)
  /** Why the last confirmed delete was not queued. */
  error: AppError | null = $state.raw(null)

  /** The unfinished edits of the open website (queued, sending, in doubt, parked); at most ten. */
  edits: readonly EditView[] = $state.raw([])
  /** The field to focus when the form is shown. The form then resets it to null. */
  fieldToFocus: FieldName | null = $state(null)

  tab: EditorTab = $state('settings')

  history: ActivityList | null = $state.raw(null)

  /** The key of the open website; null if there is no form, or the form is for a new website. */
  readonly openKey = $derived(this.form?.website?.key ?? null)
  readonly parked = $derived(
    this.form?.website?.state === 'parked' ? this.edits.find(({ state }) => state === 'parked') : undefined,
  )

  /** `onSaved` is called after each save, `onKept` when a form is kept aside. `forNew` returns the preset for new websites. */
  constructor(
    bridge: SitewardBridge,
    onSaved: (website: WebsiteView, isNew: boolean) => void,
    onKept: (form: WebsiteForm) => void,
    forNew: () => Preset | null = () => null,
  ) {
    this.#bridge = bridge
    this.#onSaved = onSaved
    this.#onKept = onKept
    this.#forNew = forNew
  }

  /**
   * Opens the form for a new website with this domain. Without a domain, restores the draft of a new website that was kept aside,
   * unless the open form is itself an unsaved new website.
   */
  create(domain = ''): void {
    const leavesDraft = this.form?.website === null && this.form.dirty
    this.#leaveKept(() => {
      const draft = domain === '' && !leavesDraft ? this.#removeKept(null) : undefined
      this.form = draft ?? new WebsiteForm(this.#bridge, null)
      this.tab = 'settings'
      if (draft !== undefined) return
      this.form.startWith(this.#forNew())
      this.form.set('domain', domain)
    })
  }

  /** Opens the form for a new website with the settings of this one. */
  duplicate(website: WebsiteView): void {
    this.#leaveKept(() => {
      this.form = new WebsiteForm(this.#bridge, website).asNew()
      this.tab = 'settings'
      this.form.set('domain', '')
    })
  }

  /** Opens a website at the given field and tab. If it is already open, only a field or the history changes the tab. */
  open(website: WebsiteView, field: FieldName | null = null, tab: EditorTab = 'settings'): void {
    if (website.key === this.openKey) {
      if (tab === 'history' || field !== null) this.tab = tab
      this.fieldToFocus = field
      return
    }
    this.error = null
    this.#leaveKept(() => {
      this.form = this.#removeKept(website.key) ?? new WebsiteForm(this.#bridge, website)
      this.tab = tab
      this.fieldToFocus = field
      this.edits = []
      // Reads the website again, because the list may be outdated and earlier changes were not reported to this form.
      void this.websitesChanged([website.key])
      if (website.state !== 'synced') void this.loadEdits()
    })
  }

  /** Opens a draft that was restored after the page had been closed or had crashed. */
  resume(form: WebsiteForm): void {
    this.#restored.set(form, typedInputKey(form))
    this.form = form
    this.tab = 'settings'
    this.edits = []
    void this.loadEdits()
  }

  /** Keeps a restored draft aside until its website is opened. */
  keep(form: WebsiteForm): void {
    this.#restored.set(form, typedInputKey(form))
    this.keptForms = [...this.keptForms, form]
  }

  /** Returns the draft that was kept aside for a website and forgets it. Null: for a new website. */
  #removeKept(website: string | null): WebsiteForm | undefined {
    const form = this.keptForms.find((one) => (one.website?.key ?? null) === website)
    this.keptForms = this.keptForms.filter((one) => one !== form)
    return form
  }

  #isAsRestored(form: WebsiteForm): boolean {
    return form.values.password === '' && this.#restored.get(form) === typedInputKey(form)
  }

  readonly loadEdits = coalesced(async () => {
    const website = this.openKey
    if (website === null) return
    const answer = await this.#bridge.listEdits({ page: 1, per_page: 10, website })
    if (!answer.ok || this.form?.website?.key !== website) return
    this.edits = answer.value.edits
    this.form.passwordLost = this.edits.some(({ state, reason }) => state === 'parked' && reason === 'password')
  })

  /** Closes the form and calls `then`. Asks first about unsaved text, unless the form can be kept aside. */
  close(then = (): void => undefined): void {
    this.#leaveKept(() => {
      this.form = null
      then()
    })
  }

  /** Closes the form without a question, because the Cancel button says that the text is discarded. */
  cancel(): void {
    this.form = null
  }

  /**
   * Calls `then` when no form has unsaved text: at once, after the running save if it succeeds, or after the user agrees to
   * discard the text. If only forms kept aside have any, the question comes with the latest of them.
   */
  leave(then: () => void): void {
    const drafts = this.keptForms.filter(({ dirty }) => dirty)
    // Shows the draft, so that the user sees which text would be discarded.
    const draft = this.form?.dirty || this.form?.saving ? undefined : drafts.pop()
    if (draft) {
      this.resume(draft)
      // The website may have changed since the draft was kept aside.
      void this.websitesChanged(null)
    }
    this.keptForms = drafts
    this.#leave(then, () => this.leave(then), drafts.length)
  }

  /**
   * Like {@link leave} within one account: keeps restored drafts without new text, and forms of websites that are being deleted,
   * without a question.
   */
  #leaveKept(then: () => void): void {
    const { form } = this
    if (!form?.dirty || form.saving || !(form.deleting || this.#isAsRestored(form))) return this.#leave(then)
    this.keptForms = [...this.keptForms, form]
    this.#onKept(form)
    then()
  }

  /**
   * Like {@link leave} for the open form only. After a save in progress, only the latest `then` runs. `saved` replaces `then` if
   * the user saves the form. `others`: number of other forms whose text would be discarded.
   */
  #leave(then: () => void, saved = (): void => this.#leave(then), others = 0): void {
    const { form } = this
    this.#next = then
    if (form?.saving) void form.settled().then(() => this.#next === then && this.form === form && form.saved && saved())
    else if (form?.dirty) this.asking = { agreed: then, saved, others }
    else then()
  }

  /** Returns the validation errors of a field or, until the user changes the rejected value, the service's errors. */
  errorsOf(form: WebsiteForm, name: FieldName): readonly string[] {
    const errors = form.errors[name] ?? []
    if (errors.length > 0 || form.touched.includes(name) || form.deleting) return errors
    return (this.parked?.error?.fields?.[name] ?? []).map(isolateText)
  }

  /** Saves the form. Returns the first invalid field, if there is one. */
  async save(): Promise<FieldName | undefined> {
    const { form } = this
    const isNew = form?.website === null
    // `form.saved` stays true after a save. Saving again without changes must not count as another save.
    const hasNothingToSave = form?.saved && !form.dirty
    const bad = await form?.save()
    if (form?.saved && !hasNothingToSave && form.website) this.#onSaved(form.website, isNew)
    return bad
  }

  /** Saves the form and continues with the action that had to ask. On failure, returns the first invalid field. */
  async saveAndLeave(): Promise<FieldName | undefined> {
    const { asking, form } = this
    this.asking = null
    const bad = await this.save()
    if (form?.saved) asking?.saved()
    return bad
  }

  /** Discards the unsaved text, and continues with the action that had to ask about it. */
  agree(): void {
    const { asking } = this
    this.asking = null
    asking?.agreed()
  }

  /**
   * Updates the forms of these websites (null: all), keeping typed text. If a website is gone, closes its form, or marks it as
   * gone if it has typed text and the user hasn't deleted the website.
   */
  async websitesChanged(keys: string[] | null): Promise<void> {
    await Promise.all([this.form, ...this.keptForms].map((form) => this.#update(form, keys)))
  }

  async #update(form: WebsiteForm | null, keys: string[] | null): Promise<void> {
    const key = form?.website?.key
    if (!form || key === undefined || (keys && !keys.includes(key))) return
    const answer = await this.#bridge.getWebsite({ key })
    if (answer.ok) form.show(answer.value)
    else if (answer.error.code === 'website-gone') {
      if (form.dirty && !form.deleting) form.gone = true
      else if (this.form === form) this.form = null
      else this.keptForms = this.keptForms.filter((one) => one !== form)
    }
  }

  /** Stops offering the undo of the last save, because the save was undone or discarded elsewhere. */
  forgetSave(website: string | null): void {
    if (this.form && this.openKey === website) this.form.saved = false
  }

  /** Turns the form into one for a new website with the same values, if its website is gone or could not get the typed domain. */
  addAsNew(): void {
    if (this.form?.gone || this.form?.lateDomain != null) this.form = this.form.asNew()
  }

  /**
   * Queues the delete and closes the form. If the service has the website, a form with unsaved text stays until the website is
   * gone, because the user may undo the delete before. Returns false and sets `error` if the delete was refused.
   */
  async confirmDelete(): Promise<boolean> {
    const website = this.deleting
    this.deleting = null
    if (!website) return false
    const answer = await this.#bridge.deleteWebsite({ key: website.key })
    this.error = answer.ok ? null : answer.error
    const keepsText = website.id !== null && this.form?.dirty
    if (answer.ok && this.openKey === website.key && !keepsText) this.form = null
    return answer.ok
  }

  reset(): void {
    this.form = null
    this.keptForms = []
    this.edits = []
    this.fieldToFocus = null
    this.asking = null
    this.deleting = null
    this.error = null
  }
}

/** Returns the typed values as one text, for comparisons. The domain of an existing website can't change and is left out. */
function typedInputKey(form: WebsiteForm): string {
  const { typed, cleared } = form.formDraft()
  const { domain, ...rest } = typed
  return JSON.stringify([form.website?.id == null ? domain : null, rest, cleared])
}
