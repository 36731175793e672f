import {
  addressesWithout,
  addressKey,
  linesOfAddresses,
  MAX_ADDRESS_NAME,
  MAX_ADDRESS_BOOK,
  type NamedAddress,
} from '../../../shared/named-address.ts'
import { isConnectionName, tidyLines } from '../../../shared/validate.ts'
import { fullErrorText } from '../../../messages/errors.ts'
import { m } from '../../../messages/index.ts'
import { compareNames, formatList, joinSentences, formatNumber } from '../../../shared/display/format.ts'
import { isolateText } from '../../../shared/display/visible.ts'
import { ok, type AppError, type Result } from '../../../shared/result.ts'
import { settingsForNewWebsite, type Preset, type SettingsPatch } from '../../../shared/preset.ts'
import type { Settings } from '../../../shared/state.ts'
import type { BaseApp } from '../../app/base-app.ts'

interface App extends BaseApp {
  readonly settings: {
    readonly now: Settings | null
    save(changes: () => Partial<Settings>): Promise<Result<Settings>>
  }
  readonly bulk: { beginWith(keys: Result<string[]>, change: SettingsPatch): void }
  readonly presets: { readonly entries: readonly Preset[] | null }
}

const linesOf = (text: string): string[] => tidyLines([text])

/** The user's names for IP addresses, and the replacement of addresses in the exclude lists of all websites. */
export class AddressBook {
  readonly #app: App

  open = $state(false)
  /** The named address that the form edits, or null if the form adds one. */
  former: NamedAddress | null = $state.raw(null)
  name = $state('')
  lines = $state('')
  /** The content of `lines` when the form was opened, to find out if the user has changed it. */
  #begunLines = $state('')
  /** True after the first attempt to save. Errors are shown only from then on. */
  tried = $state(false)
  saveError: AppError | null = $state.raw(null)

  /** Versions of named addresses before their edits, the latest first. Their lines can still be replaced in websites. */
  previous: readonly NamedAddress[] = $state.raw([])

  /** True while the form is open that replaces the addresses `from` with the addresses `to` in all websites. */
  replacing = $state(false)
  from = $state('')
  /** The content of `from` when the form was opened, to find out if the user has changed it. */
  #initialText = $state('')
  to = $state('')
  busy = $state(false)
  error: AppError | null = $state.raw(null)
  /** Set if a search found no website to change. `notice`: what else the search found, such as other accounts; '' if nothing. */
  none: { readonly from: string; readonly notice: string } | null = $state.raw(null)

  readonly nameErrors: string[] = $derived(this.tried ? this.#checkName(this.name.trim(), this.#otherAddresses) : [])
  readonly linesErrors: string[] = $derived(this.tried ? addressLinesError(linesOf(this.lines)) : [])
  readonly fromErrors: string[] = $derived(this.tried ? addressLinesError(linesOf(this.from)) : [])
  readonly toErrors: string[] = $derived(
    this.tried && linesOf(this.to).length > 0 ? addressLinesError(linesOf(this.to)) : [],
  )

  constructor(app: App) {
    this.#app = app
  }

  get entries(): readonly NamedAddress[] {
    return this.#app.settings.now?.namedAddresses ?? []
  }

  get #otherAddresses(): NamedAddress[] {
    return this.entries.filter(({ name }) => name !== this.former?.name)
  }

  get #account(): string | undefined {
    return this.#app.appState?.connection?.id
  }

  get canReplace(): boolean {
    const { appState } = this.#app
    return appState !== null && appState.connection !== null && !appState.readOnly
  }

  /** Opens the form for an existing named address (`former`), or for a new one with these lines. */
  begin(former: NamedAddress | null = null, lines: readonly string[] = former?.lines ?? []): void {
    this.former = former
    this.name = former?.name ?? ''
    this.#begunLines = lines.join('\n')
    this.lines = this.#begunLines
    this.tried = false
    this.saveError = null
    this.open = true
  }

  /** True if the form of a named address has input that closing it would lose. */
  get filled(): boolean {
    return this.name !== (this.former?.name ?? '') || this.lines !== this.#begunLines
  }

  /** Saves the form. If the lines of a named address have changed, offers to replace the former ones in all websites. */
  async save(): Promise<void> {
    this.tried = true
    if (this.busy || this.nameErrors.length + this.linesErrors.length > 0) return
    this.busy = true
    const { former } = this
    const entry = { name: this.name.trim(), lines: linesOf(this.lines) }
    const stored = await this.#store((all) => [...all.filter(({ name }) => name !== former?.name), entry])
    this.busy = false
    this.saveError = stored.ok ? null : stored.error
    if (!stored.ok) return
    this.open = false
    const areLinesEdited = former !== null && entry.lines.join() !== former.lines.join()
    if (areLinesEdited) this.previous = [former, ...this.previous]
    this.#offerUndo(m.address_saved({ name: isolateText(entry.name) }), former, entry)
    if (former === null) return
    if (!this.canReplace) return
    const found = await this.#preview(former.lines, entry.lines)
    if (!found.ok) this.#sayError(found.error)
    else if (found.value) this.#app.toasts.show(found.value)
  }

  /** Deletes a named address. The websites keep the addresses. */
  async remove(entry: NamedAddress): Promise<void> {
    const removed = await this.#store((all) => all.filter(({ name }) => name !== entry.name))
    if (!removed.ok) return this.#sayError(removed.error)
    this.#offerUndo(m.address_deleted({ name: isolateText(entry.name) }), entry)
  }

  /** Shows a toast with an Undo button, which removes `saved` and adds `former` again, if they are given. */
  #offerUndo(text: string, former: NamedAddress | null, saved?: NamedAddress): void {
    const { toasts } = this.#app
    const others = () => this.entries.filter(({ name }) => name !== saved?.name)
    const undo = async () => {
      // Another named address may have been given this name since.
      const [problem] = former ? this.#checkName(former.name, others()) : []
      if (problem !== undefined) return (toasts.show(problem), null)
      const stored = await this.#store(() => (former ? [...others(), former] : others()))
      if (!stored.ok) return stored.error
      this.previous = this.previous.filter((one) => one !== former)
      const name = isolateText((former ?? saved)?.name ?? '')
      toasts.show(former ? m.address_restored({ name }) : m.address_deleted({ name }))
      return null
    }
    const objects = [former, saved].flatMap((one) => one?.name ?? [])
    toasts.showUndo(text, m.common_undo(), undo, { objects, shared: true })
  }

  /** Opens the form that replaces addresses in all websites, with `lines` as the addresses to be replaced. */
  beginReplace(lines: readonly string[] = []): void {
    this.#initialText = lines.join('\n')
    this.from = this.#initialText
    this.to = ''
    this.tried = false
    this.error = null
    this.none = null
    this.replacing = true
  }

  /** True if the form that replaces addresses has input that closing it would lose. */
  get replaceFilled(): boolean {
    return this.from !== this.#initialText || this.to !== ''
  }

  /** Looks for websites with the addresses, and opens the preview of the replacement. */
  async replace(): Promise<void> {
    this.tried = true
    if (this.busy || this.fromErrors.length + this.toErrors.length > 0) return
    this.busy = true
    const { from } = this
    const found = await this.#preview(linesOf(from), linesOf(this.to))
    this.busy = false
    this.error = found.ok ? null : found.error
    this.none = found.ok && found.value !== null ? { from, notice: found.value } : null
    if (found.ok && found.value === null) this.replacing = false
  }

  /**
   * Opens the preview of the replacement, shows a toast about what the replacement leaves out, and returns null. If there is no
   * website to change, returns the text of that toast instead: about websites with only some of the addresses or with an unknown
   * list, other accounts, and presets. '' if there is nothing to report, or nothing to replace.
   */
  async #preview(from: readonly string[], to: readonly string[]): Promise<Result<string | null>> {
    const added = addressesWithout(to, from)
    if (added.length + addressesWithout(from, to).length === 0) return ok('')
    const account = this.#account
    const found = await this.#app.bridge.findAddresses({ lines: [...from] })
    if (!found.ok) return found
    const { keys, lines, leftOut, partial, unknown, others } = found.value
    if (account !== this.#account) return ok('')
    const presets = this.#presetsWith(from)
    const notice = joinSentences([
      leftOut > 0 && m.address_replace_limit({ limit: formatNumber(keys.length) }),
      partial > 0 && m.address_replace_partial({ count: partial }),
      unknown > 0 && m.address_replace_unseen({ count: unknown }),
      others.length > 0 &&
        m.address_replace_others({ accounts: formatList(others.map((one) => this.#accountText(one))) }),
      presets.length > 0 && m.address_replace_presets({ presets: formatList(presets) }),
    ])
    if (keys.length === 0) return ok(notice)
    if (notice !== '') this.#app.toasts.show(notice)
    this.#app.bulk.beginWith(ok(keys), {
      exclude_ips: { how: 'edit', add: added, remove: addressesWithout(lines, to) },
    })
    return ok(null)
  }

  /** Returns the names of the presets whose exclude list contains all of these addresses. */
  #presetsWith(addresses: readonly string[]): string[] {
    const presets = this.#app.presets.entries ?? []
    const found = presets.filter((preset) =>
      linesOfAddresses(settingsForNewWebsite(preset).exclude_ips ?? [], addresses),
    )
    return found.map(({ name }) => isolateText(name))
  }

  #accountText({ account, count }: { account: string; count: number }): string {
    const name = this.#app.appState?.accounts.find(({ id }) => id === account)?.name ?? ''
    return m.address_replace_account({ name: isolateText(name), count: formatNumber(count) })
  }

  /** Stores the result of `change`, sorted by name. */
  #store(change: (all: readonly NamedAddress[]) => NamedAddress[]): Promise<Result<Settings>> {
    const sorted = (all: NamedAddress[]): NamedAddress[] => all.sort((a, b) => compareNames(a.name, b.name))
    return this.#app.settings.save(() => ({ namedAddresses: sorted(change(this.entries)) }))
  }

  #sayError(error: AppError): void {
    this.#app.toasts.show(fullErrorText(error))
  }

  /** Returns the errors of a name, or that there are already too many named addresses. */
  #checkName(name: string, otherAddresses: readonly NamedAddress[]): string[] {
    if (name === '') return [m.address_name_missing()]
    if (name.length > MAX_ADDRESS_NAME || !isConnectionName(name)) {
      return [m.address_name_invalid({ limit: formatNumber(MAX_ADDRESS_NAME) })]
    }
    if (otherAddresses.some((one) => one.name.toLowerCase() === name.toLowerCase())) return [m.address_name_taken()]
    return otherAddresses.length >= MAX_ADDRESS_BOOK.sets
      ? [m.address_too_many({ limit: formatNumber(MAX_ADDRESS_BOOK.sets) })]
      : []
  }

  reset(): void {
    this.replacing = false
    this.busy = false
  }
}

/**
 * Returns the first error, if any: no lines, too many lines, or a line that isn't an IP address or range. Only addresses and
 * ranges can be found in every spelling.
 */
function addressLinesError(lines: readonly string[]): string[] {
  if (lines.length === 0) return [m.address_lines_missing()]
  if (lines.length > MAX_ADDRESS_BOOK.lines)
    return [m.address_lines_too_many({ limit: formatNumber(MAX_ADDRESS_BOOK.lines) })]
  const bad = lines.find((line) => addressKey(line) === null)
  return bad === undefined ? [] : [m.address_line_invalid({ line: isolateText(bad) })]
}
