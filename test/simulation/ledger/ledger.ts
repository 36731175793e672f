import { pickSettings } from '../../../src/main/outbox/model/compare.ts'
import type { EditView } from '../../../src/shared/edit.ts'
import { settingNames, type SettingName, type WebsiteDraft } from '../../../src/shared/website.ts'
import { newEntry, type LedgerEntry } from './entry.ts'
import { isList, isSame, nextIntent, type Changes, type Intent } from './intent.ts'

/** `typed`: a password typed for the decision. `keeps`: the user chose between values, and earlier intents stay. */
interface Decision {
  at: number
  typed: string | undefined
  keeps: boolean
}

/** The names of the settings that are pending. */
type Waiting = readonly string[]

/**
 * `waiting`: the settings that were pending before. `waits`: those that are pending now. `sent`: those of `waiting` that are
 * being sent and have no later pending value.
 */
interface Shown {
  waiting: Waiting
  waits: Waiting
  sent: Waiting
  shows: Changes
  /** Returns the value of a setting that the history shows as last sent, as JSON. */
  arrived: (unit: SettingName) => string | undefined
}

/** Records what the user was promised: the acknowledged edits that were not taken back. */
export class Ledger {
  #note: (text: string) => void

  constructor(note: (text: string) => void) {
    this.#note = note
  }

  readonly entries = new Map<string, LedgerEntry>()
  readonly imported = new Set<string>()
  acknowledged = 0

  /** Returns the entry of a website, and adds one if there is none. `id`: the id on the service, or null if it is not known. */
  found(key: string, domain: string, id: string | null, at = 0): LedgerEntry {
    const existing = this.entries.get(key)
    const entry = existing ?? newEntry(key, domain, at)
    this.entries.set(key, entry)
    if (id !== null) entry.ids.add(id)
    return entry
  }

  /** Records an acknowledged create, or an acknowledged save that replaces all settings of an unsent create. */
  created(key: string, { domain, ...draft }: WebsiteDraft, at: number): void {
    const entry = this.found(key, domain, null, at)
    entry.domain = domain
    entry.domains.add(domain)
    entry.createdByApp = true
    entry.expected = 'present'
    entry.expectedAt = at
    entry.intents.clear()
    this.#set(entry, draft, {}, at)
    // A field that is changed while the create is being sent, and then set back, has the value of the create.
    for (const unit of settingNames) entry.bases.set(unit, { value: JSON.stringify(draft[unit]), at })
    // No other client can have changed the lists of a website that does not exist yet.
    for (const [unit, intent] of entry.intents)
      if ('exact' in intent) entry.intents.set(unit, { ...intent, exact: false })
  }

  passwordOf(key: string): string | undefined {
    const intent = this.entries.get(key)?.intents.get('privacy')
    return intent?.unit === 'privacy' ? intent.password : undefined
  }

  /** Records an acknowledged update. `seen`: the values before the update, and what was pending before and is pending now. */
  updated(key: string, changes: Changes, seen: Changes & Shown, at: number): void {
    const entry = this.entries.get(key)
    if (entry === undefined) return
    this.goesBackTo(key, seen, seen.waiting, at)
    const before = new Map(entry.intents)
    this.#set(entry, changes, seen, at)
    for (const unit of settingNames) {
      if (changes[unit] === undefined) continue
      this.#setAgain(entry, unit, before.get(unit), seen)
      const value = JSON.stringify(changes[unit])
      const base = entry.bases.get(unit)
      this.#withoutBaseLines(entry, unit)
      // The field was set back to the value that was being sent and has since been applied, so nothing is left to send.
      if (value === base?.sent && seen.arrived(unit) === value && !seen.waits.includes(unit)) entry.intents.delete(unit)
      if (base !== undefined && seen.sent.includes(unit))
        entry.bases.set(unit, { ...base, sent: JSON.stringify(seen[unit]) })
      // The field was set back to its value from before any request, so nothing is left to send, unless another client has set
      // the same value.
      if (base === undefined || (value !== base.value && value !== base.former)) continue
      const isAsBefore = JSON.stringify(seen.shows[unit]) === JSON.stringify(seen[unit])
      if (!seen.waits.includes(unit) && !isAsBefore) entry.intents.delete(unit)
      const intent = entry.intents.get(unit)
      if (intent !== undefined) entry.intents.set(unit, { ...intent, backFrom: base.at })
    }
  }

  /** Records a change of a website that a parked create asks about. The website stays, without the values of the create. */
  keptAsItIs(key: string): void {
    this.entries.get(key)?.intents.clear()
  }

  /** Removes lines from before the first pending save: to take such a line out and put it back changes nothing. */
  #withoutBaseLines(entry: LedgerEntry, unit: SettingName): void {
    const [intent, base] = [entry.intents.get(unit), entry.bases.get(unit)?.value]
    if (intent === undefined || !('add' in intent) || intent.exact || base === undefined) return
    const before = new Set(JSON.parse(base) as string[])
    entry.intents.set(unit, { ...intent, add: new Map([...intent.add].filter(([line]) => !before.has(line))) })
  }

  /** Restores the earlier intent if the user sets a field to another value and back after the pending value was applied. */
  #setAgain(entry: LedgerEntry, unit: SettingName, before: Intent | undefined, { waiting, waits }: Shown): void {
    const base = entry.bases.get(unit)
    if (base === undefined || before === undefined || !waiting.includes(unit)) return
    const waited = [...(base.waited ?? []), before]
    entry.bases.set(unit, { ...base, waited })
    const intent = entry.intents.get(unit)
    const same = waited.findLast((earlier) => intent !== undefined && isSame(earlier, intent))
    if (same !== undefined && !waits.includes(unit)) entry.intents.set(unit, same)
  }

  /** Records the base of each field: an edit back to its `shown` value changes nothing. `waiting` fields keep their base. */
  goesBackTo(key: string, shown: Changes, waiting: Waiting, at: number): void {
    const entry = this.entries.get(key)
    for (const unit of settingNames) {
      // After a late create, fields have no base: the only pending part is the question that this edit answers.
      const isUnknown = entry?.bases.has(unit) === false
      if (isUnknown || !waiting.includes(unit)) entry?.bases.set(unit, { value: JSON.stringify(shown[unit]), at })
    }
  }

  /** Records the undo of a sent or unsent change; of a list, only of its lines. `shown`: the values before the undo. */
  reverts(key: string, shown: Changes, waiting: Waiting, at: number): void {
    const entry = this.entries.get(key)
    const before = new Map(entry?.bases)
    this.goesBackTo(key, shown, waiting, at)
    for (const [unit, base] of entry?.bases ?? []) {
      const former = before.get(unit)
      if (former !== undefined && former !== base) entry?.bases.set(unit, { ...base, former: former.value })
    }
    this.#showed(key, shown, at)
  }

  /** Records that the user has seen the values that an undo replaces. Not for lists, which an undo changes only in part. */
  #showed(key: string, changes: Changes, at: number): void {
    this.shown(key, Object.fromEntries(Object.entries(changes).filter(([name]) => !isList(name))), at)
  }

  /**
   * Records the undo of an edit in flight, which queues the reverse edit behind it. If the user undoes the reverse edit too, the
   * value of the edit in flight counts.
   */
  reversed(key: string, sent: Changes, at: number): void {
    this.#showed(key, sent, at)
    const entry = this.entries.get(key)
    for (const unit of settingNames) {
      if (sent[unit] === undefined) continue
      const [intent, base] = [entry?.intents.get(unit), entry?.bases.get(unit)]
      if (intent !== undefined && base !== undefined) entry?.intents.set(unit, { ...intent, backFrom: base.at })
      entry?.bases.set(unit, { value: JSON.stringify(sent[unit]), at })
    }
  }

  /** Records the settings of a save as intents and as values that the user has seen, and counts the save as acknowledged. */
  #set(entry: LedgerEntry, changes: Changes, seen: Changes & { waiting?: Waiting }, at: number): void {
    const isWaiting = (unit: SettingName) => unit === 'privacy' || (seen.waiting?.includes(unit) ?? true)
    this.#note(`acknowledged ${entry.domain} (${entry.key}): ${JSON.stringify(changes)}`)
    this.acknowledged += 1
    for (const unit of settingNames) {
      const sets = changes[unit] !== undefined || (unit === 'privacy' && changes.password !== undefined)
      if (!sets) continue
      this.saw(entry, unit, seen[unit], at)
      // Counts as seen, because the user may overwrite a value of their own.
      this.saw(entry, unit, changes[unit], at)
      entry.intents.set(
        unit,
        nextIntent(unit, changes, seen, isWaiting(unit) ? entry.intents.get(unit) : undefined, at),
      )
      entry.setAt.set(unit, at)
      entry.decisions.push({ about: unit, at })
      entry.touched.add(unit)
    }
    if (changes.password !== undefined) entry.touched.add('password')
  }

  shown(key: string, settings: Changes, at: number): void {
    const entry = this.entries.get(key)
    if (entry === undefined) return
    for (const unit of settingNames) if (settings[unit] !== undefined) this.saw(entry, unit, settings[unit], at)
  }

  saw(entry: LedgerEntry, unit: SettingName, value: unknown, at: number): void {
    const seen = entry.seen.get(unit) ?? []
    entry.seen.set(unit, [...seen, { value: JSON.stringify(value ?? null), at }])
  }

  deleted(key: string, at: number): void {
    const entry = this.entries.get(key)
    if (entry === undefined) return
    this.#note(`acknowledged ${entry.domain} (${entry.key}): delete`)
    this.acknowledged += 1
    entry.expected = 'gone'
    entry.expectedAt = at
    this.#asksForDelete(entry, at)
  }

  /** Records that the undo of a create asked for the delete of its website, like {@link deleted}. Call {@link decided} first. */
  undoneByDelete(key: string, at: number): void {
    const entry = this.entries.get(key)
    if (entry?.expected === 'gone') this.#asksForDelete(entry, at)
  }

  #asksForDelete({ bases, decisions }: LedgerEntry, at: number): void {
    // The values that the user saw last, or saw before the first pending change.
    const shown = new Map([...bases].map(([unit, { value }]) => [unit, value]))
    decisions.push({ about: 'delete', at, shown })
  }

  /** Records a decision. What is visible right after it is expected; edits that are gone were discarded. */
  decided(key: string, edits: readonly EditView[], { at, typed, keeps }: Decision): void {
    const entry = this.entries.get(key)
    if (entry === undefined) return
    // Parked edits are listed first, even if they came after an edit that is being sent.
    const isSent = ({ state }: EditView) => /sending|inDoubt/.test(state)
    const mine = edits
      .filter(({ website }) => website === key)
      .toSorted((one, other) => Number(isSent(other)) - Number(isSent(one)))
    const left = mine.map(({ kind, state, settings }) => `${kind} ${state} ${JSON.stringify(pickSettings(settings))}`)
    this.#note(`decided ${entry.domain} (${entry.key}): ${left.join(', ')}`)
    entry.decidedAt = at
    entry.decisions.push({ about: 'all', at })
    entry.expectedAt = at
    entry.expected = mine.at(-1)?.kind === 'delete' ? 'gone' : 'unsure'
    for (const unit of settingNames) {
      const carried = mine.findLast(({ settings, kind }) => kind !== 'delete' && settings[unit] !== undefined)
      const value = carried?.settings[unit]
      if (value === undefined) {
        entry.intents.delete(unit)
        continue
      }
      const before = entry.intents.get(unit)
      // An edit that is being sent does not have a password that the user typed just now.
      const isOnItsWay = carried !== undefined && isSent(carried)
      const knownPassword =
        (isOnItsWay ? undefined : typed) ?? (keeps && before?.unit === 'privacy' ? before.password : undefined)
      const password = carried?.password === true ? knownPassword : undefined
      // Of a list, only the user's own changes count; remote changes are merged.
      if (keeps && before !== undefined && 'add' in before) {
        // Lines that the user had removed may be part of the chosen value.
        const chosen = new Set(Array.isArray(value) ? value : [])
        entry.intents.set(unit, {
          ...before,
          remove: new Map([...before.remove].filter(([line]) => !chosen.has(line))),
        })
        continue
      }
      // An edit that is being sent may have been applied already.
      const since = isOnItsWay ? 0 : at
      const intent = nextIntent(unit, { [unit]: value, password }, { [unit]: [] }, undefined, since)
      if ('add' in intent) {
        entry.intents.delete(unit)
        // Overrides earlier intents, even those under another key of the same website.
        entry.setAt.set(unit, at)
        continue
      }
      entry.intents.set(unit, intent)
      entry.touched.add(unit)
      if (carried?.password === true) entry.touched.add('password')
    }
  }

  /** Records that an undo has restored the former domain of a website that is not created yet. */
  renamed(key: string, domain: string): void {
    const entry = this.entries.get(key)
    if (entry === undefined) return
    entry.domain = domain
    entry.domains.add(domain)
  }

  /** Records that a decision may create a website again with all its settings, so that any field may be sent. */
  givenBack(key: string, domain: string): void {
    const entry = this.found(key, domain, null)
    for (const unit of settingNames) entry.touched.add(unit)
    entry.touched.add('password')
  }

  /**
   * Drops intents that went into the edit of another key of the same domain. Changes of a website that was to restore a
   * deleted one become changes of the original if that still exists, and are decided with it. `isHere`: true if a website
   * has its own row in the list.
   */
  decidedWith(
    { website, domain, kind, fields }: EditView,
    waiting: readonly EditView[],
    isHere: (key: string) => boolean,
  ): void {
    if (kind !== 'update') return
    const waits = waiting.filter((edit) => edit.website === website).flatMap((edit) => edit.fields)
    const now = this.entries.get(website)?.intents
    for (const entry of this.entries.values()) {
      if (entry.key === website || entry.domain !== domain || isHere(entry.key)) continue
      for (const unit of settingNames) {
        const kept = now?.get(unit)
        // A list may have lines of both edits.
        const isTheirs = kept !== undefined && !('add' in kept)
        if (fields.includes(unit) && (!waits.includes(unit) || isTheirs)) entry.intents.delete(unit)
      }
    }
  }

  /** Drops earlier intents for an adopted website that is in the list under another key, except pending ones. */
  overruled({ website, domain, kind }: EditView, waiting: readonly EditView[]): void {
    for (const entry of this.entries.values()) {
      if (kind !== 'create' || entry.key === website || entry.domain !== domain) continue
      const waits = waiting.filter((edit) => edit.website === entry.key).flatMap(({ fields }) => fields)
      for (const unit of settingNames) if (!waits.includes(unit)) entry.intents.delete(unit)
    }
  }

  /**
   * Records that the user adopted, deleted or left the existing website, which overrides earlier intents for it. `isHere`: true
   * if a website still has its own row in the list, because it has not been merged with the website of the create.
   */
  answered(
    { id, website, domain }: EditView,
    waiting: readonly EditView[],
    at: number,
    isHere: (key: string) => boolean,
  ) {
    if (waiting.some((edit) => edit.id === id)) return
    for (const entry of this.entries.values()) {
      if (entry.key === website || entry.domain !== domain) continue
      const isGoing = waiting.some((edit) => edit.website === entry.key && edit.kind === 'delete')
      if (!isGoing && entry.expected !== 'gone' && isHere(entry.key)) continue
      entry.expected = isGoing ? 'gone' : 'unsure'
      entry.expectedAt = at
      entry.decisions.push({ about: 'all', at })
    }
  }
}
