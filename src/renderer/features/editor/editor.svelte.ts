import type { SitewardBridge } from '../../../preload/bridge.ts'
import type { EditView } from '../../../shared/edit.ts'
import type { AppError } from '../../../shared/result.ts'
import type { FieldName, WebsiteView } from '../../../shared/website.ts'
import { coalesced } from '../../lib/coalesced.ts'
import { WebsiteForm } from './website-form.svelte.ts'

/** Along the list, down or up. */
export type Step = 'next' | 'previous'

/** The side pane: which website it shows, and what has to be asked before that changes. */
export class Editor {
  readonly #bridge: SitewardBridge
  readonly #onSaved: (website: WebsiteView, isNew: boolean) => void
  readonly #onKept: (form: WebsiteForm) => void

  form: WebsiteForm | null = $state.raw(null)
  /** What goes on once the person agrees to lose what was typed. */
  asking: (() => void) | null = $state.raw(null)
  /** Restored drafts that the user left without typing in them. Each is there again when its website is opened. */
  kept: readonly WebsiteForm[] = $state.raw([])
  /** The restored drafts, as they were restored. */
  readonly #restored = new WeakMap<WebsiteForm, string>()
  /** What was wanted last. */
  #next: (() => void) | null = null
  /** The website whose delete has to be confirmed. */
  deleting: WebsiteView | null = $state.raw(null)
  error: AppError | null = $state.raw(null)

  /** Edits of the open website that aren't sent yet. */
  edits: readonly EditView[] = $state.raw([])
  /** The field to begin at, where the person came for it; taken by the form that shows it. */
  wanted: FieldName | null = null

  readonly openKey = $derived(this.form?.website?.key ?? null)
  /** The edit of the open website that needs the person. */
  readonly parked = $derived(
    this.form?.website?.state === 'parked' ? this.edits.find(({ state }) => state === 'parked') : undefined,
  )

  /** `onKept` is called when a restored draft is kept aside. */
  constructor(
    bridge: SitewardBridge,
    onSaved: (website: WebsiteView, isNew: boolean) => void,
    onKept: (form: WebsiteForm) => void,
  ) {
    this.#bridge = bridge
    this.#onSaved = onSaved
    this.#onKept = onKept
  }

  /** `domain`: to begin with. */
  create(domain = ''): void {
    if (domain === '' && this.form?.website === null && this.#isAsRestored(this.form)) return
    this.#leaveKept(() => {
      const kept = domain === '' ? this.#takeKept(null) : undefined
      this.form = kept ?? new WebsiteForm(this.#bridge, null)
      if (kept === undefined) this.form.set('domain', domain)
    })
  }

  /** Opens the form for a new website with the settings of another one. */
  duplicate(website: WebsiteView): void {
    this.leave(() => {
      this.form = new WebsiteForm(this.#bridge, website).anew()
      this.form.set('domain', '')
    })
  }

  open(website: WebsiteView, field: FieldName | null = null): void {
    this.wanted = field
    if (website.key === this.openKey) return
    this.error = null
    this.#leaveKept(() => {
      this.form = this.#takeKept(website.key) ?? new WebsiteForm(this.#bridge, website)
      this.edits = []
      // The list may be a moment behind, and what was told before the form was there isn't told again.
      void this.websitesChanged([website.key])
      if (website.state !== 'synced') void this.loadEdits()
    })
  }

  /** With what was typed before, in a page that is gone. */
  resume(form: WebsiteForm): void {
    this.#restored.set(form, typedIn(form))
    this.form = form
    this.edits = []
    void this.loadEdits()
  }

  /** Restores a draft that was kept aside. */
  keep(form: WebsiteForm): void {
    this.#restored.set(form, typedIn(form))
    this.kept = [...this.kept, form]
  }

  #takeKept(website: string | null): WebsiteForm | undefined {
    const form = this.kept.find((one) => (one.website?.key ?? null) === website)
    this.kept = this.kept.filter((one) => one !== form)
    return form
  }

  /** True if the user has typed nothing since the draft was restored. */
  #isAsRestored(form: WebsiteForm): boolean {
    return form.values.password === '' && this.#restored.get(form) === typedIn(form)
  }

  readonly loadEdits = coalesced(async () => {
    const website = this.openKey
    if (website === null) return
    const answer = await this.#bridge.listEdits({ page: 1, per_page: 10, website })
    if (answer.ok && this.openKey === website) this.edits = answer.value.edits
  })

  close(): void {
    this.#leaveKept(() => (this.form = null))
  }

  /** Cancel says itself that what was typed is given up. */
  cancel(): void {
    this.form = null
  }

  /** What is being saved isn't unsaved: it's left once that is on disk, unless more was typed, and stays where it failed. */
  leave(then: () => void): void {
    const kept = this.kept.at(-1)
    // A draft that was kept aside is shown before it is given up.
    if (kept !== undefined && !this.form?.dirty && !this.form?.saving) {
      this.kept = this.kept.slice(0, -1)
      this.form = kept
    }
    this.#leave(then)
  }

  /** The same within the connection, where a restored draft can be kept aside. */
  #leaveKept(then: () => void): void {
    const { form } = this
    if (!form?.dirty || form.saving || !this.#isAsRestored(form)) return this.#leave(then)
    this.kept = [...this.kept, form]
    this.#onKept(form)
    then()
  }

  #leave(then: () => void): void {
    const { form } = this
    this.#next = then
    if (form?.saving) void form.settled().then(() => this.#next === then && form.saved && this.#go(form, then))
    else this.#go(form, then)
  }

  #go(form: WebsiteForm | null, then: () => void): void {
    if (this.form !== form) return
    if (form?.dirty) this.asking = then
    else then()
  }

  /** Saves what was typed; answers the first field to be corrected, if there is one. */
  async save(): Promise<FieldName | undefined> {
    const { form } = this
    const isNew = form?.website === null
    const bad = await form?.save()
    if (form?.saved && form.website) this.#onSaved(form.website, isNew)
    return bad
  }

  /** Saves what was typed, then goes on; else stays, at the field to be corrected, which is answered. */
  async saveFirst(): Promise<FieldName | undefined> {
    const { asking: then, form } = this
    this.asking = null
    const bad = await this.save()
    if (form?.saved) then?.()
    return bad
  }

  agree(): void {
    const then = this.asking
    this.asking = null
    then?.()
  }

  /** Something about these websites changed (null: about any): shows it, and keeps what is being typed. */
  async websitesChanged(keys: string[] | null): Promise<void> {
    const form = this.form
    const key = form?.website?.key
    if (!form || key === undefined || (keys && !keys.includes(key))) return
    const answer = await this.#bridge.getWebsite({ key })
    if (this.form !== form) return
    if (answer.ok) form.show(answer.value)
    else if (answer.error.code === 'website-gone') {
      if (form.deleting || !form.dirty) this.form = null
      else form.gone = true
    }
  }

  /** What was typed about a website that is gone begins a new one, with all else that it had. */
  addAnew(): void {
    if (this.form?.gone) this.form = this.form.anew()
  }

  /** Answers whether the delete is on disk. */
  async confirmDelete(): Promise<boolean> {
    const website = this.deleting
    this.deleting = null
    if (!website) return false
    const answer = await this.#bridge.deleteWebsite({ key: website.key })
    this.error = answer.ok ? null : answer.error
    if (answer.ok && this.openKey === website.key) this.form = null
    return answer.ok
  }

  reset(): void {
    this.form = null
    this.kept = []
    this.edits = []
    this.wanted = null
    this.asking = null
    this.deleting = null
    this.error = null
  }
}

/** Returns what was typed into a form, without the domain of a website that exists, which nobody can change. */
function typedIn(form: WebsiteForm): string {
  const { typed = {}, cleared = [] } = form.formDraft() ?? {}
  const { domain, ...rest } = typed
  return JSON.stringify([form.website?.id == null ? domain : null, rest, cleared])
}
