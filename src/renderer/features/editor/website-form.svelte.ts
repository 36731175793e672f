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
  newlyPendingHiddenFields,
  shownSettingOf,
  type FormValues,
} from './website-fields.ts'
import { normaliseDomain } from '../../../shared/domain.ts'
import { m } from '../../../messages/index.ts'

/** The version of a website after an entry of its history or, if `before` is true, the version before that entry. */
export interface RestoredVersion {
  /** The time of the entry, in milliseconds since 1970. */
  at: number
  before: boolean
}

/**
 * The form of the editor: the website's current values with the typed ones over them. A change of the website shows in
 * all fields without typed text, and no typed text is lost.
 */
export class WebsiteForm {
  readonly #bridge: SitewardBridge

  /** The edited website; null for a new one. */
  website: WebsiteView | null = $state.raw(null)
  /** The values that the user has typed and that are not saved yet. */
  #typed: Partial<FormValues> = $state.raw({})
  /** The preset with which a new website starts, or null. */
  preset: Preset | null = $state.raw(null)
  /** True if a new website starts with the settings of another one, or of a preset that was deleted or changed since. */
  copied = $state(false)
  /** The settings that couldn't be copied to a new website, because the service doesn't show their values. */
  #uncopied: readonly SettingName[] = $state.raw([])
  #seen: SeenSettings = $state.raw({})
  /** The `updated_at` of the record that the user saw when they began to type. Main knows which own changes have moved it since. */
  #seenAt: string | undefined = $state.raw()
  /** Typed fields that the service doesn't show and that have got another pending change since the user typed in them. */
  #unseen: readonly FieldName[] = $state.raw([])
  /** Lists that the service doesn't show and that the user has cleared. */
  cleared: readonly ListName[] = $state.raw([])

  /** The errors of the last save by field, from validation or from its answer. Typing in a field removes its errors. */
  errors: FieldErrors = $state.raw({})
  /** True if the last save was refused because a website with the typed domain is already in the list. */
  #listed = $state(false)
  /** The error of the last save, if it isn't about a field. */
  error: AppError | null = $state.raw(null)
  /** Resolves when the save in progress has ended; null if none is. */
  #currentSave: Promise<void> | null = $state.raw(null)
  /** The fields that were typed in since the current save began. */
  #since: readonly string[] = []
  /** True after a successful save, until the user types again. */
  saved = $state(false)
  /** True if the last save changed only the statistics password, which can't be undone once it is sent. */
  savedOnlyPassword = false
  /** The version whose values were restored and are not saved yet, or null. */
  restored: RestoredVersion | null = $state.raw(null)
  /** True if the website was changed outside of the form while the form had unsaved text. */
  changedRemotely = $state(false)
  /** True if the password of a pending change is missing, so that the user has to enter it again. */
  passwordLost = $state(false)
  /** True if the website no longer exists, but the form has unsaved text. */
  gone = $state(false)

  /** True if the service doesn't have the website yet, so that all of its fields can be corrected. */
  readonly uncreated = $derived(this.website?.id === null)
  /** The settings that the preset fills in; none without a preset. */
  readonly #start = $derived(this.preset ? settingsForNewWebsite(this.preset) : {})
  /** The values without any typing: those of the website, or for a new one those of the preset and the defaults. */
  readonly #begin = $derived(initialFormValues(this.website, this.#start))
  /**
   * The values that the form shows. A typed domain is not among them if the service has the website, because it can't be changed
   * then.
   */
  readonly values: FormValues = $derived({
    ...this.#begin,
    ...this.#typed,
    ...(this.website !== null && !this.uncreated && { domain: this.website.domain }),
  })
  /** The domain that the user typed for a website that meanwhile was created with another one, or null. */
  readonly lateDomain = $derived.by(() => {
    const typed = this.#typed.domain?.trim() ?? ''
    const isFixed = this.website !== null && !this.uncreated
    return isFixed && typed !== '' && normaliseDomain(typed) !== this.website?.domain ? typed : null
  })
  /** True if a delete is pending, so that nothing can be typed. */
  readonly deleting = $derived(this.website?.state === 'deleting')
  /** The changes of settings that saving sends; empty for a new website. */
  readonly changes = $derived(this.website ? changesOf(this.website, this.#typed, this.cleared) : {})
  /** The fields that saving would change; none for a new website. */
  readonly touched = $derived(this.website ? this.#touched() : [])
  /** True if a website that isn't created yet has a pending password, which is kept unless another one is typed. */
  readonly keepsPassword = $derived(
    this.uncreated &&
      !this.passwordLost &&
      (this.website?.password === true || this.website?.pending.includes('password') === true),
  )
  /** Number of fields that saving sends. A password is sent with its privacy. */
  readonly fieldsToSend = $derived(
    this.touched.length + Number(this.touched.includes('password') && !this.touched.includes('privacy')),
  )
  /** Changed fields whose value on the website has changed since the user typed. */
  readonly outdated: readonly FieldName[] = $derived(
    this.website === null || this.gone
      ? []
      : [...settingsChangedSince(this.website, this.#seen), ...this.#unseen].filter((name) => name in this.changes),
  )
  /** The settings that could not be copied from another website, and still have the default values. */
  readonly uncopied = $derived(this.#uncopied.filter((name) => this.values[name] === initialFormValues(null)[name]))
  get saving(): boolean {
    return this.#currentSave !== null
  }
  /** The website's values of the typed fields at the time of typing. */
  get seen(): SeenSettings {
    return this.#seen
  }
  /** True if the form has input that is not saved. */
  readonly dirty = $derived(this.website ? this.touched.length > 0 : Object.keys(this.#typed).length > 0)
  /** True if the chosen privacy is "Password", so that the form has a field for it. */
  readonly withPassword = $derived(this.values.privacy === PRIVACY.password)
  /** The normalised domain, or null if the typed text is normalised already or is no domain. */
  readonly storedAs = $derived.by(() => {
    const domain = normaliseDomain(this.values.domain)
    return domain === this.values.domain.trim() ? null : domain
  })
  readonly #ips = $derived(this.values.exclude_ips)
  readonly #params = $derived(this.values.exclude_params)
  readonly #aboutIps = $derived(checkAddresses(this.#ips))
  readonly #aboutParams = $derived(checkParameters(this.#params))
  /** Remarks on lines of the lists, such as mistakes and duplicates. */
  readonly findings: Record<ListName, readonly Finding[]> = $derived({
    exclude_ips: this.#aboutIps,
    exclude_params: this.#aboutParams,
  })

  /** Number of lines that look like mistakes, in the lists that saving would change. */
  readonly suspectLines = $derived(
    (['exclude_ips', 'exclude_params'] as const)
      .filter((name) => this.website === null || this.touched.includes(name))
      .reduce((sum, name) => sum + this.findings[name].filter(({ kind }) => kind === 'wrong').length, 0),
  )

  constructor(bridge: SitewardBridge, website: WebsiteView | null) {
    this.#bridge = bridge
    this.website = website
  }

  /** Restores a form from {@link WebsiteForm.formDraft}. `presets`: those that exist now. */
  static resumed(
    bridge: SitewardBridge,
    website: WebsiteView | null,
    { typed, seen, seenAt, cleared, preset: id }: Omit<FormDraft, 'website'>,
    presets: readonly Preset[] = [],
  ): WebsiteForm {
    const form = new WebsiteForm(bridge, website)
    const preset = presets.find((one) => one.id === id)
    // A setting that was added to the preset since would change a field of the form, so the preset is then not selected again.
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
   * Returns the key of the website and the typed text, without the password. Typed text stays in the draft until it is saved. The
   * draft of a website that is being deleted lacks the other values, so that it isn't restored as a new website.
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

  /**
   * Returns the values that the preset fills in. A draft contains them, because the preset may change until the draft is
   * restored.
   */
  #startFields(): Partial<FormValues> {
    return Object.fromEntries(Object.entries(this.#begin).filter(([name]) => name in this.#start))
  }

  /** Sets the value of a field. A value that equals the website's counts as not typed, except during a save. */
  set<N extends keyof FormValues>(name: N, value: FormValues[N]): void {
    if (!this.dirty) this.#seenAt = this.website?.updated_at
    if (!(name in this.#typed)) this.keepMine(name)
    const typed = { ...this.#typed, [name]: value }
    // A typed value that equals the old one still counts during a save, as the save changes the old one.
    if (this.saving) this.#since = [...this.#since, name]
    this.#typed = this.saving ? typed : this.#otherThanBegun(typed)
    if (name === 'exclude_ips' || name === 'exclude_params') this.keepList(name)
    this.saved = false
    if (this.errors[name]) this.errors = { ...this.errors, [name]: [] }
  }

  /** Fills in the settings of a preset, in place of those that were typed. Null: the defaults. */
  startWith(preset: Preset | null): void {
    this.preset = preset
    this.copied = false
    this.#typed = Object.fromEntries(Object.entries(this.#typed).filter(([name]) => !(name in this.#start)))
  }

  /** Returns the typed fields whose values differ from those that the form has without any typing. */
  #otherThanBegun(typed: Partial<FormValues>): Partial<FormValues> {
    return Object.fromEntries(
      Object.entries(typed).filter(([name, now]) => now !== this.#begin[name as keyof FormValues]),
    )
  }

  /** Stages an empty list in the place of one that the service doesn't show. */
  clearList(name: ListName): void {
    this.set(name, '')
    this.cleared = [...this.cleared, name]
  }

  /** Takes back {@link clearList}. */
  keepList(name: ListName): void {
    this.cleared = this.cleared.filter((each) => each !== name)
  }

  /** Restores the website's value of a field. */
  putBack(name: FieldName): void {
    this.set(name, this.#begin[name])
  }

  /** Fills in the values of an earlier version. Returns the first field that differs from the website now, if there is one. */
  restore(version: Partial<WebsiteSettings>, restored: RestoredVersion): FieldName | undefined {
    for (const name of settingNames) {
      if (version[name] === undefined) continue
      const value = version[name]
      this.set(name, (Array.isArray(value) ? value.join('\n') : value) as never)
    }
    this.restored = this.dirty ? restored : null
    return this.touched[0]
  }

  /** True if {@link WebsiteForm.restore} would replace unsaved values by others. Another privacy drops a typed password. */
  losesTo(version: Partial<WebsiteSettings>): boolean {
    const earlier = initialFormValues(null, version)
    const replaced = settingNames.filter((name) => version[name] !== undefined && earlier[name] !== this.values[name])
    const { touched } = this
    return replaced.some((name) => touched.includes(name) || (name === 'privacy' && touched.includes('password')))
  }

  /** Keeps the typed value of a field, although the website's value has changed since. */
  keepMine(name: FieldName): void {
    this.#seen = { ...this.#seen, ...shownSettingOf(this.website, name) }
    this.#unseen = this.#unseen.filter((each) => each !== name)
  }

  /**
   * Returns the form of a new website with the same values. Its domain is the one that this website could not get, if there is
   * one.
   */
  asNew(): WebsiteForm {
    const form = new WebsiteForm(this.#bridge, null)
    form.#typed = withoutUndefined({ ...this.values, domain: this.lateDomain ?? this.values.domain })
    form.copied = true
    form.#uncopied = settingNames.filter((name) => this.website?.[name] === undefined && !this.touched.includes(name))
    return form
  }

  /** Shows the current values of the website. With unsaved text, also notes whether it was changed outside of the form. */
  show(website: WebsiteView): void {
    this.gone = false
    if (this.dirty && !this.saving) {
      this.changedRemotely ||= settingNames.some((name) => showsOtherValue(this.website, website, name))
      const replaced = newlyPendingHiddenFields(this.website, website).filter((name) => name in this.#typed)
      this.#unseen = [...this.#unseen, ...replaced]
    }
    // The user may have begun to type before the website was created.
    this.#seenAt ??= website.updated_at
    // Removes the error of the domain, because the service has answered since, and the error may no longer be right.
    if (this.uncreated && website.state !== this.website?.state) this.errors = { ...this.errors, domain: [] }
    this.website = website
  }

  /**
   * Validates and saves the form. Text that is typed during a save is saved by the next one. Returns the first invalid
   * field, if there is one.
   */
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

  /** Resolves when the current save has ended, successfully or not. */
  async settled(): Promise<void> {
    await this.#currentSave
  }

  /** Sends the form to main, and shows the saved website or the error. */
  async #handOver(website: WebsiteView | null): Promise<void> {
    this.#since = []
    const answer = await this.#send(website)
    this.#currentSave = null
    if (answer.ok) this.#saved(answer.value)
    else this.#refused(answer.error)
  }

  /** The request for a preview of saving. It says that there is a password, but not which. */
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

  /** True while the error of the domain says that a website with this domain is already in the list. */
  get isListed(): boolean {
    return this.#listed && (this.errors.domain ?? []).length > 0
  }

  /** The first field with an error; undefined if there is none. */
  get firstInvalid(): FieldName | undefined {
    return fieldNames.find((name) => (this.errors[name]?.length ?? 0) > 0)
  }

  #send(website: WebsiteView | null): Promise<CommandAnswer<'getWebsite'>> {
    if (website === null) return this.#bridge.createWebsite(draftOf(this.values))
    const [{ key }, seen] = [website, this.#shown(website)]
    if (website.id === null) return this.#bridge.correctWebsite({ key, draft: draftOf(this.values), seen })
    return this.#bridge.updateWebsite({ key, changes: this.changes, seen, seenAt: this.#seenAt })
  }

  /** Returns the settings that the form showed. For a typed field, this is the value that the user typed over. */
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

  /** Shows the saved website. What was typed during the save stays as unsaved text. */
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
    const domain = normaliseDomain(this.values.domain) ?? ''
    // The error stays in the language in which it was shown first.
    this.#listed = this.errors.domain?.includes(m.input_domain_listed({ domain })) === true
    this.error = this.firstInvalid ? null : error
  }
}

/** True if both versions of a website show this setting, with different values. */
const showsOtherValue = (was: WebsiteView | null, website: WebsiteView, name: SettingName): boolean =>
  was?.[name] !== undefined &&
  website[name] !== undefined &&
  JSON.stringify(was[name]) !== JSON.stringify(website[name])

/** Returns the fields that are not undefined. */
const withoutUndefined = <T extends object>(fields: T): { [N in keyof T]?: Exclude<T[N], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
