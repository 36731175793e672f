import type { SitewardBridge } from '../../../preload/bridge.ts'
import type { EditView } from '../../../shared/edit.ts'
import type { Preset } from '../../../shared/preset.ts'
import type { AppError } from '../../../shared/result.ts'
import type { FieldName, WebsiteView } from '../../../shared/website.ts'
import { isolateText } from '../../../shared/display/visible.ts'
import { coalesced } from '../../lib/coalesced.ts'
import type { ActivityList } from '../shared/activity-list.svelte.ts'
import { WebsiteForm } from './website-form.svelte.ts'

/** Direction in the list: `next` is down, `previous` is up. */
export type ListDirection = 'next' | 'previous'

export type EditorTab = 'settings' | 'history'

/** The question whether unsaved text may be lost. */
interface LeaveQuestion {
  /** Runs if the user agrees to lose the text. */
  agreed: () => void
  /** Runs if the user has saved the open form instead. It asks again if there is other unsaved text. */
  saved: () => void
  /** Number of forms beside the open one whose text is lost too. */
  others: number
}

/** The side pane with the editor. It asks before unsaved text is lost. */
export class Editor {
  readonly #bridge: SitewardBridge
  readonly #onSaved: (website: WebsiteView, isNew: boolean) => void
  readonly #onKept: (form: WebsiteForm) => void
  readonly #forNew: () => Preset | null

  form: WebsiteForm | null = $state.raw(null)
  /** Null: no question is open. */
  asking: LeaveQuestion | null = $state.raw(null)
  /**
   * Restored drafts that the user left without typing in them, and unsaved text of websites that are being deleted. Each is shown
   * again when its website is opened.
   */
  keptForms: readonly WebsiteForm[] = $state.raw([])
  /** The typed text of each restored draft at the time when it was restored. */
  readonly #restored = new WeakMap<WebsiteForm, string>()
  /** The latest action that waits for a save to end. */
  #next: (() => void) | null = null
  /** The website whose delete has to be confirmed. */
  deleting: WebsiteView | null = $state.raw(null)
  /** The reason why the last confirmed delete was not queued. */
  error: AppError | null = $state.raw(null)

  /** The edits of the open website that are queued, being sent, in doubt or parked; at most ten. */
  edits: readonly EditView[] = $state.raw([])
  /** The field to focus as soon as the form is shown; the form resets it. */
  fieldToFocus: FieldName | null = $state(null)

  tab: EditorTab = $state('settings')

  /** The activity of the open website, while it is shown. */
  history: ActivityList | null = $state.raw(null)

  /** The key of the open website; null if no form is open, or the form of a new website. */
  readonly openKey = $derived(this.form?.website?.key ?? null)
  /** The edit of the open website that needs the user's attention. */
  readonly parked = $derived(
    this.form?.website?.state === 'parked' ? this.edits.find(({ state }) => state === 'parked') : undefined,
  )

  /**
   * `onSaved` is called after each successful save, `onKept` when a form that is left is kept aside. `forNew` returns the preset
   * with which new websites start.
   */
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
   * Opens the form for a new website, with the draft of a new website if one is kept aside. The form starts without it if
   * `domain` is given, or if the form that is left has unsaved text of a new website too. `domain`: the text that the domain
   * field starts with.
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

  /** Opens the form for a new website with the settings of another one. */
  duplicate(website: WebsiteView): void {
    this.#leaveKept(() => {
      this.form = new WebsiteForm(this.#bridge, website).asNew()
      this.tab = 'settings'
      this.form.set('domain', '')
    })
  }

  /**
   * Opens a website, at a field and a tab if they are given. In the open website, only a field or the history changes the tab.
   */
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
      // The list may be outdated, and changes that were reported before the form opened are not reported again.
      void this.websitesChanged([website.key])
      if (website.state !== 'synced') void this.loadEdits()
    })
  }

  /** Opens a form that was restored from a page that closed or crashed. */
  resume(form: WebsiteForm): void {
    this.#restored.set(form, typedInputKey(form))
    this.form = form
    this.tab = 'settings'
    this.edits = []
    void this.loadEdits()
  }

  /** Keeps a draft aside that was restored from a page that closed or crashed, until its website is opened. */
  keep(form: WebsiteForm): void {
    this.#restored.set(form, typedInputKey(form))
    this.keptForms = [...this.keptForms, form]
  }

  /** Returns the draft that is kept aside for a website (null: for a new one), which is then no longer kept aside. */
  #removeKept(website: string | null): WebsiteForm | undefined {
    const form = this.keptForms.find((one) => (one.website?.key ?? null) === website)
    this.keptForms = this.keptForms.filter((one) => one !== form)
    return form
  }

  /** True if the user has typed nothing since the draft was restored. */
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

  /** Closes the form, then calls `then`. Asks first about unsaved text, unless the form is kept aside with its text. */
  close(then = (): void => undefined): void {
    this.#leaveKept(() => {
      this.form = null
      then()
    })
  }

  /** Closes the form without asking, because the Cancel button says that the text is discarded. */
  cancel(): void {
    this.form = null
  }

  /**
   * Calls `then` once all forms may be left: after a save in progress if it succeeds, or after the user agrees to lose the
   * unsaved text of the form and of all drafts that are kept aside. If the form has none, the draft that was kept aside last is
   * shown.
   */
  leave(then: () => void): void {
    const drafts = this.keptForms.filter(({ dirty }) => dirty)
    // A draft that was kept aside is shown before it is given up.
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
   * Like {@link leave}, but within the same connection: a restored draft without new text, and the text of a website that is
   * being deleted, are kept aside instead of asking.
   */
  #leaveKept(then: () => void): void {
    const { form } = this
    if (!form?.dirty || form.saving || !(form.deleting || this.#isAsRestored(form))) return this.#leave(then)
    this.keptForms = [...this.keptForms, form]
    this.#onKept(form)
    then()
  }

  /**
   * Like {@link leave}, but about the open form only: keeps no draft aside and shows none. While a save is in progress, only
   * the latest `then` waits for it. `saved`: called instead of `then` if the form was saved first. `others`: number of other
   * forms whose text is lost too.
   */
  #leave(then: () => void, saved = (): void => this.#leave(then), others = 0): void {
    const { form } = this
    this.#next = then
    if (form?.saving) void form.settled().then(() => this.#next === then && this.form === form && form.saved && saved())
    else if (form?.dirty) this.asking = { agreed: then, saved, others }
    else then()
  }

  /**
   * Returns the validation errors of a field of the open form, otherwise the service's errors while the rejected value is
   * unchanged.
   */
  errorsOf(form: WebsiteForm, name: FieldName): readonly string[] {
    const errors = form.errors[name] ?? []
    if (errors.length > 0 || form.touched.includes(name) || form.deleting) return errors
    return (this.parked?.error?.fields?.[name] ?? []).map(isolateText)
  }

  /** Saves the form. Returns the first invalid field, if there is one. */
  async save(): Promise<FieldName | undefined> {
    const { form } = this
    const isNew = form?.website === null
    // With nothing to save, the form only keeps that it was saved before.
    const isIdle = form?.saved && !form.dirty
    const bad = await form?.save()
    if (form?.saved && !isIdle && form.website) this.#onSaved(form.website, isNew)
    return bad
  }

  /**
   * Saves the form, and then runs the action that the user was asked about, or asks about other unsaved text first. Returns the
   * first invalid field, if saving failed for it.
   */
  async saveAndLeave(): Promise<FieldName | undefined> {
    const { asking, form } = this
    this.asking = null
    const bad = await this.save()
    if (form?.saved) asking?.saved()
    return bad
  }

  /** Runs the action that the user was asked about, which discards the unsaved text. */
  agree(): void {
    const { asking } = this
    this.asking = null
    asking?.agreed()
  }

  /**
   * Updates the forms after a change of these websites (null: any of them), and keeps the typed text. If the website of a form
   * is gone, closes the form, or marks it as gone if it has typed text and the user has not deleted the website.
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

  /** Ends the offer to undo the last save of a website, because the save was undone or discarded elsewhere. */
  forgetSave(website: string | null): void {
    if (this.form && this.openKey === website) this.form.saved = false
  }

  /**
   * Turns the form of a website that no longer exists, or that could not get the typed domain, into that of a new website with
   * the same values. Does nothing for other websites.
   */
  addAsNew(): void {
    if (this.form?.gone || this.form?.lateDomain != null) this.form = this.form.asNew()
  }

  /**
   * Queues the delete of the website that the user has confirmed, and closes its form. A form with unsaved text stays until the
   * website is gone, as long as an undo can bring the website back. Returns true if the delete was queued; otherwise `error` says
   * why it was not.
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

/** Returns what was typed into a form, without the domain of an existing website, which cannot be changed. */
function typedInputKey(form: WebsiteForm): string {
  const { typed, cleared } = form.formDraft()
  const { domain, ...rest } = typed
  return JSON.stringify([form.website?.id == null ? domain : null, rest, cleared])
}
