import type { CommandAnswer, CommandRequest, SitewardBridge } from '../../../preload/bridge.ts'
import type { ListName } from '../../../shared/fields.ts'
import type { AppError, FieldErrors } from '../../../shared/result.ts'
import type { FormDraft } from '../../../shared/form-draft.ts'
import { checkChanges, checkDraft } from '../../../shared/validate.ts'
import {
  type RemoteChange,
  fieldNames,
  PRIVACY,
  settingNames,
  type FieldName,
  type SeenSettings,
  type SettingName,
  type WebsiteView,
} from '../../../shared/website.ts'
import { checkAddresses } from '../../lib/exclude-list/addresses.ts'
import type { Finding } from '../../lib/exclude-list/lines.ts'
import { checkParameters } from '../../lib/exclude-list/parameters.ts'
import { changesOf, draftOf, fieldsOf, overtakenBy, replacedUnseen, seenOf, type Fields } from './website-fields.ts'
import { normaliseDomain } from '../../../shared/domain.ts'

/**
 * The editor's form: the website as it is, with what was typed laid over it. So a website that changes underneath
 * shows through wherever nothing was typed, and nothing typed is lost.
 */
export class WebsiteForm {
  readonly #bridge: SitewardBridge

  /** null: a website to be created. */
  website: WebsiteView | null = $state.raw(null)
  #typed: Partial<Fields> = $state.raw({})
  #seen: SeenSettings = $state.raw({})
  /** What isn't shown, and was changed while something was typed there. */
  #unseen: readonly FieldName[] = $state.raw([])
  /** Lists that the service doesn't show, and that are to be empty. */
  cleared: readonly ListName[] = $state.raw([])

  errors: FieldErrors = $state.raw({})
  /** Why saving failed, where no field is to blame. */
  error: AppError | null = $state.raw(null)
  saving = $state(false)
  #way: Promise<void> | null = null
  /** The fields that were typed in since the save that is on its way began. */
  #since: readonly string[] = []
  saved = $state(false)
  /** The website changed elsewhere while something was being typed. */
  changedMeanwhile = $state(false)
  /** What others had done to it when it was opened, or did since: it stays told, though it has been looked at. */
  remoteChange: RemoteChange | undefined = $state.raw()
  /** The website isn't there any more, and something that was typed about it is. */
  gone = $state(false)

  readonly #begin = $derived(fieldsOf(this.website))
  readonly values: Fields = $derived({ ...this.#begin, ...this.#typed })
  /** The service doesn't have it yet: all of it can still be corrected. */
  readonly uncreated = $derived(this.website?.id === null)
  /** A delete is waiting: nothing can be typed. */
  readonly deleting = $derived(this.website?.state === 'deleting')
  readonly changes = $derived(this.website ? changesOf(this.website, this.#typed, this.cleared) : {})
  /** The fields that Save would change. */
  readonly touched = $derived(this.website ? this.#touched() : [])
  /** A password waits with a website that isn't created yet; it stays unless another is typed. */
  readonly keepsPassword = $derived(
    this.uncreated && (this.website?.password === true || this.website?.pending.includes('password') === true),
  )
  /** How many fields that takes: a password goes with its privacy. */
  readonly sent = $derived(
    this.touched.length + Number(this.touched.includes('password') && !this.touched.includes('privacy')),
  )
  /** What is being changed, and isn't any more what it was when that began. */
  readonly overtaken: readonly FieldName[] = $derived(
    this.website === null || this.gone
      ? []
      : [...overtakenBy(this.website, this.#seen), ...this.#unseen].filter((name) => name in this.changes),
  )
  /** What the website had in what was typed since, as it was typed over. */
  get seen(): SeenSettings {
    return this.#seen
  }
  readonly dirty = $derived(this.website ? this.touched.length > 0 : Object.keys(this.#typed).length > 0)
  readonly withPassword = $derived(this.values.privacy === PRIVACY.password)
  /** How the service will write the domain, where that isn't how it was typed. */
  readonly storedAs = $derived.by(() => {
    const domain = normaliseDomain(this.values.domain)
    return domain === this.values.domain.trim() ? null : domain
  })
  readonly #ips = $derived(this.values.exclude_ips)
  readonly #params = $derived(this.values.exclude_params)
  readonly #aboutIps = $derived(checkAddresses(this.#ips))
  readonly #aboutParams = $derived(checkParameters(this.#params))
  /** What is worth a word about the lines of the lists. */
  readonly findings: Record<ListName, readonly Finding[]> = $derived({
    exclude_ips: this.#aboutIps,
    exclude_params: this.#aboutParams,
  })

  /** How many lines of lists that are being changed look like mistakes. */
  readonly doubtful = $derived(
    (['exclude_ips', 'exclude_params'] as const)
      .filter((name) => this.website === null || this.touched.includes(name))
      .reduce((sum, name) => sum + this.findings[name].filter(({ what }) => what === 'wrong').length, 0),
  )

  constructor(bridge: SitewardBridge, website: WebsiteView | null) {
    this.#bridge = bridge
    this.website = website
    this.remoteChange = website?.remoteChange
  }

  /** As it was left: {@link WebsiteForm.formDraft}. */
  static resumed(
    bridge: SitewardBridge,
    website: WebsiteView | null,
    { typed, seen, cleared }: Omit<FormDraft, 'website'>,
  ): WebsiteForm {
    const form = new WebsiteForm(bridge, website)
    form.#typed = given(typed)
    form.#seen = seen
    form.cleared = cleared
    return form
  }

  /** Which website it is, and what was typed, but for a password; null: it's being saved. */
  formDraft(): FormDraft | null {
    if (this.saving) return null
    const typed = given({ ...this.#typed, password: undefined })
    return { website: this.website?.key ?? null, typed, seen: this.#seen, cleared: [...this.cleared] }
  }

  set<N extends keyof Fields>(name: N, value: Fields[N]): void {
    if (!(name in this.#typed)) this.keepMine(name)
    const typed = { ...this.#typed, [name]: value }
    // What it was is no longer what it will be, once that is saved.
    if (this.saving) this.#since = [...this.#since, name]
    this.#typed = this.saving ? typed : this.#otherThanBegun(typed)
    if (name === 'exclude_ips' || name === 'exclude_params') this.keepList(name)
    this.saved = false
    if (this.errors[name]) this.errors = { ...this.errors, [name]: [] }
  }

  /** A field set back to what it was isn't typed any more. */
  #otherThanBegun(typed: Partial<Fields>): Partial<Fields> {
    return Object.fromEntries(Object.entries(typed).filter(([name, now]) => now !== this.#begin[name as keyof Fields]))
  }

  /** Stages an empty list in the place of one that the service doesn't show. */
  clearList(name: ListName): void {
    this.set(name, '')
    this.cleared = [...this.cleared, name]
  }

  keepList(name: ListName): void {
    this.cleared = this.cleared.filter((each) => each !== name)
  }

  /** Back to what the website has. */
  putBack(name: FieldName): void {
    this.set(name, this.#begin[name])
  }

  /** What was typed over a value that has changed meanwhile is to take the place of that one too. */
  keepMine(name: FieldName): void {
    this.#seen = { ...this.#seen, ...seenOf(this.website, name) }
    this.#unseen = this.#unseen.filter((each) => each !== name)
  }

  /** A new website with all that stands here. */
  anew(): WebsiteForm {
    const form = new WebsiteForm(this.#bridge, null)
    form.#typed = given(this.values)
    return form
  }

  show(website: WebsiteView): void {
    this.remoteChange = website.remoteChange ?? this.remoteChange
    this.gone = false
    if (this.dirty && !this.saving) {
      this.changedMeanwhile ||= recordOf(website) !== recordOf(this.website)
      const replaced = replacedUnseen(this.website, website).filter((name) => name in this.#typed)
      this.#unseen = [...this.#unseen, ...replaced]
    }
    this.website = website
    // Once it's created its domain stands, whatever was being typed.
    if (website.id !== null) this.#typed = { ...this.#typed, domain: website.domain }
  }

  /**
   * Checks, and hands the edit over; what is typed while it's on its way, with the next one. Answers the first field to be
   * corrected, if there is one.
   */
  async save(): Promise<FieldName | undefined> {
    while (this.#way) {
      await this.#way
      if (!this.saved) return this.firstBad
    }
    if (!(this.dirty || this.website === null)) return undefined
    const website = this.website
    this.errors = website?.id ? checkChanges(this.changes, website) : this.#checkDraft()
    this.error = null
    if (this.firstBad) return this.firstBad
    this.#way = this.#handOver(website)
    await this.#way
    return this.firstBad
  }

  /** The save that is on its way has ended, well or not. */
  async settled(): Promise<void> {
    await this.#way
  }

  async #handOver(website: WebsiteView | null): Promise<void> {
    this.#since = []
    this.saving = true
    const answer = await this.#send(website)
    this.saving = false
    this.#way = null
    if (answer.ok) this.#saved(answer.value)
    else this.#refused(answer.error)
  }

  /** What saving would be asked with, without the password: that there is one is enough to look at it. */
  get preview(): CommandRequest<'previewSave'> {
    const key = this.website?.key ?? null
    if (this.website?.id) {
      const { password, ...changes } = this.changes
      return { key, changes, masked: password !== undefined }
    }
    const { password, ...draft } = draftOf(this.values)
    const kept = this.keepsPassword && draft.privacy === PRIVACY.password
    return { key, draft, masked: password !== undefined || kept }
  }

  get firstBad(): FieldName | undefined {
    return fieldNames.find((name) => (this.errors[name]?.length ?? 0) > 0)
  }

  #send(website: WebsiteView | null): Promise<CommandAnswer<'getWebsite'>> {
    if (website === null) return this.#bridge.createWebsite(draftOf(this.values))
    const { key } = website
    if (website.id === null)
      return this.#bridge.correctWebsite({ key, draft: draftOf(this.values), seen: this.#shown(website) })
    return this.#bridge.updateWebsite({ key, changes: this.changes, ...this.#seenMismatch() })
  }

  /** The settings that the form showed: those of a typed field as the user typed over them. */
  #shown(website: WebsiteView): SeenSettings {
    const typed = Object.entries(this.#seen).filter(([name]) => name in this.#typed)
    return Object.assign(
      {},
      ...settingNames.map((name) => seenOf(website, name)),
      Object.fromEntries(typed),
    ) as SeenSettings
  }

  /** Of what is changed, what the website had in it for the person, and no longer has. */
  #seenMismatch(): { seen?: SeenSettings } {
    const otherwise = Object.entries(this.#seen).filter(([name]) => this.overtaken.includes(name as SettingName))
    return otherwise.length === 0 ? {} : { seen: Object.fromEntries(otherwise) }
  }

  #touched(): FieldName[] {
    const settings = Object.keys(this.changes) as FieldName[]
    const corrected = this.uncreated && this.values.domain.trim() !== this.website?.domain
    return corrected ? ['domain', ...settings] : settings
  }

  #checkDraft(): FieldErrors {
    return checkDraft(draftOf(this.values), this.keepsPassword)
  }

  #saved(website: WebsiteView): void {
    const later = Object.entries(this.#typed).filter(([name]) => this.#since.includes(name))
    this.website = website
    this.#typed = this.#otherThanBegun(Object.fromEntries(later))
    this.#seen = Object.assign({}, ...later.map(([name]) => seenOf(website, name as keyof Fields)))
    this.cleared = this.cleared.filter((name) => this.#since.includes(name))
    this.#unseen = []
    this.saved = true
    this.changedMeanwhile = false
  }

  #refused(error: AppError): void {
    this.#typed = this.#otherThanBegun(this.#typed)
    this.errors = error.fields ?? {}
    this.error = this.firstBad ? null : error
  }
}

/** What the service has of a website, without where our own edits stand. */
const recordOf = (website: WebsiteView | null): string => JSON.stringify({ ...website, state: '', pending: [] })

/** Only what has a value. */
const given = <T extends object>(fields: T): { [N in keyof T]?: Exclude<T[N], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
