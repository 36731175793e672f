import type { SitewardBridge } from '../../preload/bridge.ts'
import type { AppError } from '../../shared/result.ts'
import type { WebsiteView } from '../../shared/website.ts'
import { WebsiteForm } from './website-form.svelte.ts'

/** The side pane: which website it shows, and what has to be asked before that changes. */
export class Editor {
  readonly #bridge: SitewardBridge

  form: WebsiteForm | null = $state.raw(null)
  /** What goes on once the person agrees to lose what was typed. */
  asking: (() => void) | null = $state.raw(null)
  /** The website whose delete has to be confirmed. */
  deleting: WebsiteView | null = $state.raw(null)
  error: AppError | null = $state.raw(null)

  readonly openKey = $derived(this.form?.website?.key ?? null)

  constructor(bridge: SitewardBridge) {
    this.#bridge = bridge
  }

  create(): void {
    this.leave(() => (this.form = new WebsiteForm(this.#bridge, null)))
  }

  open(website: WebsiteView): void {
    if (website.key === this.openKey) return
    this.error = null
    this.leave(() => (this.form = new WebsiteForm(this.#bridge, website)))
  }

  close(): void {
    this.leave(() => (this.form = null))
  }

  /** Cancel says itself that what was typed is given up. */
  cancel(): void {
    this.form = null
  }

  leave(then: () => void): void {
    if (this.form?.dirty) this.asking = then
    else then()
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
    else if (answer.error.code === 'website-gone' && (form.deleting || !form.dirty)) this.form = null
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
    this.asking = null
    this.deleting = null
    this.error = null
  }
}
