import type { CommandAnswer, CommandRequest, SitewardBridge } from '../../../preload/bridge.ts'
import type { ListName } from '../../../shared/fields.ts'
import type { AppError, FieldErrors } from '../../../shared/result.ts'
import type { FormDraft } from '../../../shared/form-draft.ts'
import { settingsForNewWebsite, type Preset } from '../../../shared/preset.ts'
import { checkChanges, checkDraft } from '../../../shared/validate.ts'
import {
  fieldNames,
  PRIVACY,
  settingNames,
  type FieldName,
  type SeenSettings,
  type SettingName,
  type WebsiteSettings,
  type WebsiteView,
} from '../../../shared/website.ts'
import { checkAddresses } from '../../lib/exclude-list/addresses.ts'
import type { Finding } from '../../lib/exclude-list/lines.ts'
import { checkParameters } from '../../lib/exclude-list/parameters.ts'
import {
  changesOf,
  draftOf,
  initialFormValues,
  settingsChangedSince,
  newlyPendingWriteOnlyFields,
  shownSettingOf,
  type FormValues,
} from './website-fields.ts'
import { normalizeDomain } from '../../../shared/domain.ts'
import { m } from '../../../messages/index.ts'

/** The version after a history entry, or before it if `before` is true. */
export interface RestoredVersion {
  /** The time of the history entry, in milliseconds since 1970. */
  at: number
  before: boolean
}

/** The form of the editor. Fields with typed text keep it. All other fields show the website's current values. */
export class WebsiteForm {
  readonly #bridge: SitewardBridge

  website: WebsiteView | null = $state.raw(null)
  #typed: Partial<FormValues> = $state.raw({})
  /** The preset whose settings a new website starts with, or null. */
  preset: Preset | null = $state.raw(null)
  /** True if the first values come from another website, or from a preset that was deleted or changed since. */
  copied = $state(false)
  /** The settings that couldn't be copied, because the service doesn't return them. */
  #uncopied: readonly SettingName[] = $state.raw([])
  #seen: SeenSettings = $state.raw({})
  /** The website's `updated_at` when the user began to type. Main knows which own saves have changed it since. */
  #seenAt: string | undefined = $state.raw()
  /** Typed fields that the service doesn't return and for which another change was queued after the user typed. */
  #unseen: readonly FieldName[] = $state.raw([])
  /** Lists that the service doesn't return and that the user has chosen to empty. */
  cleared: readonly ListName[] = $state.raw([])

  /** The errors of the last save, by field. Typing in a field removes its errors. */
  errors: FieldErrors = $state.raw({})
  /** True if the last save failed because a website with this domain is already in the list. */
  #listed = $state(false)
  error: AppError | null = $state.raw(null)
  /** Resolves when the save in progress has ended. Null if there is none. */
  #currentSave: Promise<void> | null = $state.raw(null)
  /** The fields in which the user has typed since the current save began. */
  #since: readonly string[] = []
  saved = $state(false)
  /** True if the last save changed only the password, which can't be undone after it is sent. */
  savedOnlyPassword = false
  /** The restored version whose values are not saved yet, or null. */
  restored: RestoredVersion | null = $state.raw(null)
  /** True if the website was changed elsewhere while the form had unsaved text. */
  changedRemotely = $state(false)
  /** True if a pending change has lost its password, so that the user has to type it again. */
  passwordLost = $state(false)
  /** True if the website no longer exists. The form stays open because of its unsaved text. */
  gone = $state(false)

  /** True if the website isn't created at the service yet, so that even its domain can be changed. */
  readonly uncreated = $derived(this.website?.id === null)
  readonly #start = $derived(this.preset ? settingsForNewWebsite(this.preset) : {})
  /** The values of the form before any typing. */
  readonly #begin = $derived(initialFormValues(this.website, this.#start))
  /** The shown values. A typed domain doesn't count once the website is created, because it can't be changed then. */
  readonly values: FormValues = $derived({
    ...this.#begin,
    ...this.#typed,
    ...(this.website !== null && !this.uncreated && { domain: this.website.domain }),
  })
  /** The typed domain, if the website was created with another one in the meantime. Otherwise null. */
  readonly lateDomain = $derived.by(() => {
    const typed = this.#typed.domain?.trim() ?? ''
    const isFixed = this.website !== null && !this.uncreated
    return isFixed && typed !== '' && normalizeDomain(typed) !== this.website?.domain ? typed : null
  })
  readonly deleting = $derived(this.website?.state === 'deleting')
  /** The changes of an existing website that saving sends. */
  readonly changes = $derived(this.website ? changesOf(this.website, this.#typed, this.cleared) : {})
  /** The fields of an existing website that saving changes. */
  readonly touched = $derived(this.website ? this.#touched() : [])
  /** True if the website isn't created yet and already has a pending password, which stays if the password field is empty. */
  readonly keepsPassword = $derived(
    this.uncreated &&
      !this.passwordLost &&
      (this.website?.password === true || this.website?.pending.includes('password') === true),
  )
  /** Number of fields that saving sends. The privacy is always sent together with a password. */
  readonly fieldsToSend = $derived(
    this.touched.length + Number(this.touched.includes('password') && !this.touched.includes('privacy')),
  )
  /** Changed fields whose remote value has changed since the user typed. */
  readonly outdated: readonly FieldName[] = $derived(
    this.website === null || this.gone
      ? []
      : [...settingsChangedSince(this.website, this.#seen), ...this.#unseen].filter((name) => name in this.changes),
  )
  /** The settings that couldn't be copied and that the user hasn't changed from the default. */
  readonly uncopied = $derived(this.#uncopied.filter((name) => this.values[name] === initialFormValues(null)[name]))
  get saving(): boolean {
    return this.#currentSave !== null
  }
  /** The website's values of the typed fields when the user began to type in them. */
  get seen(): SeenSettings {
    return this.#seen
  }
  readonly dirty = $derived(this.website ? this.touched.length > 0 : Object.keys(this.#typed).length > 0)
  readonly withPassword = $derived(this.values.privacy === PRIVACY.password)
  /** The domain as the service will store it, if it differs from the typed text; otherwise null. */
  readonly storedAs = $derived.by(() => {
    const domain = normalizeDomain(this.values.domain)
    return domain === this.values.domain.trim() ? null : domain
  })
  readonly #ips = $derived(this.values.exclude_ips)
  readonly #params = $derived(this.values.exclude_params)
  readonly #aboutIps = $derived(checkAddresses(this.#ips))
  readonly #aboutParams = $derived(checkParameters(this.#params))
  readonly findings: Record<ListName, readonly Finding[]> = $derived({
    exclude_ips: this.#aboutIps,
    exclude_params: this.#aboutParams,
  })

  /** Number of lines that look like mistakes in the lists that saving would change. */
  readonly suspectLines = $derived(
    (['exclude_ips', 'exclude_params'] as const)
      .filter((name) => this.website === null || this.touched.includes(name))
      .reduce((sum, name) => sum + this.findings[name].filter(({ kind }) => kind === 'wrong').length, 0),
  )

  constructor(bridge: SitewardBridge, website: WebsiteView | null) {
    this.#bridge = bridge
    this.website = website
  }

  /** Restores a form from {@link WebsiteForm.formDraft}. `presets`: the current presets. */
  static resumed(
    bridge: SitewardBridge,
    website: WebsiteView | null,
    { typed, seen, seenAt, cleared, preset: id }: Omit<FormDraft, 'website'>,
    presets: readonly Preset[] = [],
  ): WebsiteForm {
    const form = new WebsiteForm(bridge, website)
    const preset = presets.find((one) => one.id === id)
    // If the preset has got a setting that the draft lacks, selecting it again would change the form, so it isn't selected.
    const isSame = preset !== undefined && Object.keys(settingsForNewWebsite(preset)).every((name) => name in typed)
    form.preset = isSame ? preset : null
    form.copied = id !== undefined && !isSame
    form.#typed = isSame ? form.#otherThanBegun(withoutUndefined(typed)) : withoutUndefined(typed)
    form.#seen = seen
    form.#seenAt = seenAt
    form.cleared = cleared
    return form
  }

  /**
   * Returns the typed text without the password, and the values of the other fields in case the website no longer exists. These
   * values are left out for a website that is being deleted, so that it isn't offered as a new one.
   */
  formDraft(): FormDraft {
    const start = this.website === null && this.dirty ? this.#startFields() : {}
    const typed = withoutUndefined({ ...start, ...this.#typed, password: undefined })
    const preset = this.website === null ? this.preset?.id : undefined
    const others = Object.entries(this.values).filter(([name]) => name !== 'password' && !(name in typed))
    const values = withoutUndefined(Object.fromEntries(others))
    return {
      ...{ website: this.website?.key ?? null, typed, seen: this.#seen, cleared: [...this.cleared] },
      ...(this.#seenAt !== undefined && { seenAt: this.#seenAt }),
      ...(this.website !== null && this.dirty && !this.deleting && { values }),
      ...(preset !== undefined && { preset }),
    }
  }

  /** Returns the values from the preset. Drafts contain them, because the preset may change before the draft is restored. */
  #startFields(): Partial<FormValues> {
    return Object.fromEntries(Object.entries(this.#begin).filter(([name]) => name in this.#start))
  }

  /** Sets a field. A value equal to the website's is not kept as typed, except during a save. */
  set<N extends keyof FormValues>(name: N, value: FormValues[N]): void {
    if (!this.dirty) this.#seenAt = this.website?.updated_at
    if (!(name in this.#typed)) this.keepMine(name)
    const typed = { ...this.#typed, [name]: value }
    // During a save, a value equal to the old one counts as typed, because the save replaces the old one.
    if (this.saving) this.#since = [...this.#since, name]
    this.#typed = this.saving ? typed : this.#otherThanBegun(typed)
    if (name === 'exclude_ips' || name === 'exclude_params') this.keepList(name)
    this.saved = false
    if (this.errors[name]) this.errors = { ...this.errors, [name]: [] }
  }

  /** Fills in the settings of a preset, in place of what was typed in these fields. Null: the defaults; typed text stays. */
  startWith(preset: Preset | null): void {
    this.preset = preset
    this.copied = false
    this.#typed = Object.fromEntries(Object.entries(this.#typed).filter(([name]) => !(name in this.#start)))
  }

  /** Returns the typed values that differ from those before any typing. */
  #otherThanBegun(typed: Partial<FormValues>): Partial<FormValues> {
    return Object.fromEntries(
      Object.entries(typed).filter(([name, now]) => now !== this.#begin[name as keyof FormValues]),
    )
  }

  /** Makes the next save empty a list that the service doesn't return. */
  clearList(name: ListName): void {
    this.set(name, '')
    this.cleared = [...this.cleared, name]
  }

  keepList(name: ListName): void {
    this.cleared = this.cleared.filter((each) => each !== name)
  }

  /** Resets a field to its value before any typing. */
  putBack(name: FieldName): void {
    this.set(name, this.#begin[name])
  }

  /** Fills in the values of an earlier version. Returns the first field that now differs from the website. */
  restore(version: Partial<WebsiteSettings>, restored: RestoredVersion): FieldName | undefined {
    for (const name of settingNames) {
      if (version[name] === undefined) continue
      const value = version[name]
      this.set(name, (Array.isArray(value) ? value.join('\n') : value) as never)
    }
    this.restored = this.dirty ? restored : null
    return this.touched[0]
  }

  /** True if restoring this version would overwrite unsaved values. Another privacy would also discard a typed password. */
  losesTo(version: Partial<WebsiteSettings>): boolean {
    const earlier = initialFormValues(null, version)
    const replaced = settingNames.filter((name) => version[name] !== undefined && earlier[name] !== this.values[name])
    const { touched } = this
    return replaced.some((name) => touched.includes(name) || (name === 'privacy' && touched.includes('password')))
  }

  /** Confirms the typed value of a field, after the website's value has changed. */
  keepMine(name: FieldName): void {
    this.#seen = { ...this.#seen, ...shownSettingOf(this.website, name) }
    this.#unseen = this.#unseen.filter((each) => each !== name)
  }

  /** Returns a form for a new website with the same values and, if it exists, the domain in `lateDomain`. */
  asNew(): WebsiteForm {
    const form = new WebsiteForm(this.#bridge, null)
    form.#typed = withoutUndefined({ ...this.values, domain: this.lateDomain ?? this.values.domain })
    form.copied = true
    form.#uncopied = settingNames.filter((name) => this.website?.[name] === undefined && !this.touched.includes(name))
    return form
  }

  /** Shows the website's new values. If there is unsaved text, also records whether the website was changed elsewhere. */
  show(website: WebsiteView): void {
    this.gone = false
    if (this.dirty && !this.saving) {
      this.changedRemotely ||= settingNames.some((name) => showsOtherValue(this.website, website, name))
      const replaced = newlyPendingWriteOnlyFields(this.website, website).filter((name) => name in this.#typed)
      this.#unseen = [...this.#unseen, ...replaced]
    }
    // If the user typed before the website was created, there was no `updated_at` yet.
    this.#seenAt ??= website.updated_at
    // The website has a new state, so the error about its domain may be outdated.
    if (this.uncreated && website.state !== this.website?.state) this.errors = { ...this.errors, domain: [] }
    this.website = website
  }

  /** Validates and saves the form, after a save in progress. Returns the first invalid field. */
  async save(): Promise<FieldName | undefined> {
    while (this.#currentSave) {
      await this.#currentSave
      if (!this.saved) return this.firstInvalid
    }
    if (!(this.dirty || this.website === null)) return undefined
    const website = this.website
    this.errors = website?.id ? checkChanges(this.changes, website) : this.#checkDraft()
    this.#listed = false
    this.error = null
    if (this.firstInvalid) return this.firstInvalid
    this.savedOnlyPassword = this.touched.join() === 'password'
    this.#currentSave = this.#handOver(website)
    await this.#currentSave
    return this.firstInvalid
  }

  async settled(): Promise<void> {
    await this.#currentSave
  }

  /** Sends the form to main, and applies the response. */
  async #handOver(website: WebsiteView | null): Promise<void> {
    this.#since = []
    const answer = await this.#send(website)
    this.#currentSave = null
    if (answer.ok) this.#saved(answer.value)
    else this.#refused(answer.error)
  }

  /** The request for the preview of a save. `masked` says that there is a password, which stays in the window. */
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

  get isListed(): boolean {
    return this.#listed && (this.errors.domain ?? []).length > 0
  }

  get firstInvalid(): FieldName | undefined {
    return fieldNames.find((name) => (this.errors[name]?.length ?? 0) > 0)
  }

  #send(website: WebsiteView | null): Promise<CommandAnswer<'getWebsite'>> {
    if (website === null) return this.#bridge.createWebsite(draftOf(this.values))
    const [{ key }, seen] = [website, this.#shown(website)]
    if (website.id === null) return this.#bridge.correctWebsite({ key, draft: draftOf(this.values), seen })
    return this.#bridge.updateWebsite({ key, changes: this.changes, seen, seenAt: this.#seenAt })
  }

  /** Returns the settings as the user saw them. For a typed field, this is the value before typing. */
  #shown(website: WebsiteView): SeenSettings {
    const typed = Object.entries(this.#seen).filter(([name]) => name in this.#typed)
    return Object.assign(
      {},
      ...settingNames.map((name) => shownSettingOf(website, name)),
      Object.fromEntries(typed),
    ) as SeenSettings
  }

  #touched(): FieldName[] {
    const settings = Object.keys(this.changes) as FieldName[]
    const corrected = this.uncreated && this.values.domain.trim() !== this.website?.domain
    return corrected ? ['domain', ...settings] : settings
  }

  #checkDraft(): FieldErrors {
    return checkDraft(draftOf(this.values), this.keepsPassword)
  }

  /** Applies the saved website. What was typed during the save stays as unsaved text. */
  #saved(website: WebsiteView): void {
    const isLater = (name: string): boolean =>
      this.#since.includes(name) || (name === 'domain' && this.lateDomain !== null)
    const later = Object.entries(this.#typed).filter(([name]) => isLater(name))
    this.website = website
    this.#typed = this.#otherThanBegun(Object.fromEntries(later))
    this.#seen = Object.assign({}, ...later.map(([name]) => shownSettingOf(website, name as keyof FormValues)))
    this.#seenAt = website.updated_at
    this.cleared = this.cleared.filter((name) => this.#since.includes(name))
    this.#unseen = []
    this.saved = true
    this.restored = null
    this.changedRemotely = false
  }

  #refused(error: AppError): void {
    this.#typed = this.#otherThanBegun(this.#typed)
    this.errors = error.fields ?? {}
    const domain = normalizeDomain(this.values.domain) ?? ''
    // The result is stored, because the error text keeps its language: comparing it after a change of language would fail.
    this.#listed = this.errors.domain?.includes(m.input_domain_listed({ domain })) === true
    this.error = this.firstInvalid ? null : error
  }
}

/** True if the setting is known in both versions and differs. */
const showsOtherValue = (was: WebsiteView | null, website: WebsiteView, name: SettingName): boolean =>
  was?.[name] !== undefined &&
  website[name] !== undefined &&
  JSON.stringify(was[name]) !== JSON.stringify(website[name])

const withoutUndefined = <T extends object>(fields: T): { [N in keyof T]?: Exclude<T[N], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
