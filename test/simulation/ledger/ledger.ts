import { pickSettings } from '../../../src/main/outbox/model/compare.ts'
import type { EditView } from '../../../src/shared/edit.ts'
import { settingNames, type SettingName, type WebsiteDraft } from '../../../src/shared/website.ts'
import { newEntry, type LedgerEntry } from './entry.ts'
import { isSame, wished, type Changes, type Intent } from './intent.ts'

/** `typed`: a password that he gave for it; `keeps`: his choice was between values, which are still what he did. */
interface Decision {
  at: number
  typed: string | undefined
  keeps: boolean
}

type Waiting = readonly string[]

/** `waiting`: the settings that waited before; `waits`: those that wait now; `sent`: of `waiting`, those that are on their way alone. */
interface Shown {
  waiting: Waiting
  waits: Waiting
  sent: Waiting
  /** What is shown now. */
  shows: Changes
  /** What the history tells as last sent, as JSON. */
  arrived: (unit: SettingName) => string | undefined
}

/** What the user was promised: the edits that were acknowledged, but for those taken back. */
export class Ledger {
  #note: (what: string) => void

  constructor(note: (what: string) => void) {
    this.#note = note
  }

  readonly entries = new Map<string, LedgerEntry>()
  /** Edits that came by an import. */
  readonly imported = new Set<string>()
  /** Edits that were acknowledged. */
  acknowledged = 0

  found(key: string, domain: string, id: string | null, at = 0): LedgerEntry {
    const known = this.entries.get(key)
    const entry = known ?? newEntry(key, domain, at)
    this.entries.set(key, entry)
    if (id !== null) entry.ids.add(id)
    return entry
  }

  created(key: string, { domain, ...draft }: WebsiteDraft, at: number): void {
    const entry = this.found(key, domain, null, at)
    entry.domain = domain
    entry.domains.add(domain)
    entry.madeHere = true
    entry.wanted = 'here'
    entry.wantedAt = at
    entry.intents.clear()
    this.#set(entry, draft, {}, at)
    // What is changed while it's on its way, and set back, is as it was created.
    for (const unit of settingNames) entry.bases.set(unit, { value: JSON.stringify(draft[unit]), at })
    // What isn't there yet has lists that nobody else has touched.
    for (const [unit, intent] of entry.intents)
      if ('exact' in intent) entry.intents.set(unit, { ...intent, exact: false })
  }

  /** The password that the user wants of a website, if one is known. */
  passwordOf(key: string): string | undefined {
    const intent = this.entries.get(key)?.intents.get('privacy')
    return intent?.unit === 'privacy' ? intent.password : undefined
  }

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
      // Set back to what was on its way then, and has arrived since: there's nothing left to send.
      if (value === base?.sent && seen.arrived(unit) === value && !seen.waits.includes(unit)) entry.intents.delete(unit)
      if (base !== undefined && seen.sent.includes(unit))
        entry.bases.set(unit, { ...base, sent: JSON.stringify(seen[unit]) })
      // Set back to what it was before anything was sent: neither is there, unless somebody else has set the same.
      if (value !== base?.value) continue
      const isAsBefore = JSON.stringify(seen.shows[unit]) === JSON.stringify(seen[unit])
      if (!seen.waits.includes(unit) && !isAsBefore) entry.intents.delete(unit)
      const intent = entry.intents.get(unit)
      if (intent !== undefined) entry.intents.set(unit, { ...intent, backFrom: base.at })
    }
  }

  /** A line that was there before the first pending save, taken out and put back by the user, is no change of theirs. */
  #withoutBaseLines(entry: LedgerEntry, unit: SettingName): void {
    const [intent, base] = [entry.intents.get(unit), entry.bases.get(unit)?.value]
    if (intent === undefined || !('add' in intent) || intent.exact || base === undefined) return
    const before = new Set(JSON.parse(base) as string[])
    entry.intents.set(unit, { ...intent, add: new Map([...intent.add].filter(([line]) => !before.has(line))) })
  }

  /**
   * Set away from what waits, and to that again, when nothing of it waits any more: what waited has arrived meanwhile, and
   * is what they intent, since when they had wished it.
   */
  #setAgain(entry: LedgerEntry, unit: SettingName, before: Intent | undefined, { waiting, waits }: Shown): void {
    const base = entry.bases.get(unit)
    if (base === undefined || before === undefined || !waiting.includes(unit)) return
    const waited = [...(base.waited ?? []), before]
    entry.bases.set(unit, { ...base, waited })
    const intent = entry.intents.get(unit)
    const same = waited.findLast((earlier) => intent !== undefined && isSame(earlier, intent))
    if (same !== undefined && !waits.includes(unit)) entry.intents.set(unit, same)
  }

  /** What is queued now, and set back later, is as it's `shown` now; but for what is `waiting` already. */
  goesBackTo(key: string, shown: Changes, waiting: Waiting, at: number): void {
    const entry = this.entries.get(key)
    for (const unit of settingNames) {
      // Of one that has come through late, what waits is the question alone, which this answers.
      const isUnknown = entry?.bases.has(unit) === false
      if (isUnknown || !waiting.includes(unit)) entry?.bases.set(unit, { value: JSON.stringify(shown[unit]), at })
    }
  }

  /** What was sent is set back from what is `shown` now; of a list its own lines alone. */
  reverts(key: string, shown: Changes, waiting: Waiting, at: number): void {
    this.goesBackTo(key, shown, waiting, at)
    this.#showed(key, shown, at)
  }

  /** What is set back is what the user had before their eyes; of a list its own lines alone. */
  #showed(key: string, { privacy, email, exclude_bots }: Changes, at: number): void {
    this.shown(key, { privacy, email, exclude_bots }, at)
  }

  /** The reverse of what is on its way goes behind that: set back in its turn, it's as that has it. */
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

  #set(entry: LedgerEntry, changes: Changes, seen: Changes & { waiting?: Waiting }, at: number): void {
    const isWaiting = (unit: SettingName) => unit === 'privacy' || (seen.waiting?.includes(unit) ?? true)
    this.#note(`acknowledged ${entry.domain} (${entry.key}): ${JSON.stringify(changes)}`)
    this.acknowledged += 1
    for (const unit of settingNames) {
      const sets = changes[unit] !== undefined || (unit === 'privacy' && changes.password !== undefined)
      if (!sets) continue
      this.saw(entry, unit, seen[unit], at)
      // What he sets himself he may take back.
      this.saw(entry, unit, changes[unit], at)
      entry.intents.set(unit, wished(unit, changes, seen, isWaiting(unit) ? entry.intents.get(unit) : undefined, at))
      entry.setAt.set(unit, at)
      entry.said.push({ about: unit, at })
      entry.touched.add(unit)
    }
    if (changes.password !== undefined) entry.touched.add('password')
  }

  /** What the user had before his eyes when he set something else. */
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
    entry.wanted = 'gone'
    entry.wantedAt = at
    // As they saw it last, or before the first change of it that waits.
    const shown = new Map([...entry.bases].map(([unit, { value }]) => [unit, value]))
    entry.said.push({ about: 'delete', at, shown })
  }

  /**
   * The user decided: what became of it is what is visible right after; what isn't any more he has given up. From
   * here on it's held against that.
   */
  decided(key: string, edits: readonly EditView[], { at, typed, keeps }: Decision): void {
    const entry = this.entries.get(key)
    if (entry === undefined) return
    // What is parked is listed first, also where it came behind what is on its way.
    const isSent = ({ state }: EditView) => /sending|inDoubt/.test(state)
    const mine = edits
      .filter(({ website }) => website === key)
      .toSorted((one, other) => Number(isSent(other)) - Number(isSent(one)))
    // A store may order the fields in its own way.
    const left = mine.map(({ kind, state, settings }) => `${kind} ${state} ${JSON.stringify(pickSettings(settings))}`)
    this.#note(`decided ${entry.domain} (${entry.key}): ${left.join(', ')}`)
    entry.decidedAt = at
    entry.said.push({ about: 'all', at })
    entry.wantedAt = at
    entry.wanted = mine.at(-1)?.kind === 'delete' ? 'gone' : 'unsure'
    for (const unit of settingNames) {
      const carried = mine.findLast(({ settings, kind }) => kind !== 'delete' && settings[unit] !== undefined)
      const value = carried?.settings[unit]
      if (value === undefined) {
        entry.intents.delete(unit)
        continue
      }
      const before = entry.intents.get(unit)
      // What is on its way already has no password that was typed just now.
      const isOnItsWay = carried !== undefined && isSent(carried)
      const known =
        (isOnItsWay ? undefined : typed) ?? (keeps && before?.unit === 'privacy' ? before.password : undefined)
      const password = carried?.password === true ? known : undefined
      // Of a list only what the user did to it counts: what others do to it meanwhile is merged.
      if (keeps && before !== undefined && 'add' in before) {
        // What they had taken out, and is among the lines of both that they have chosen, is to be there.
        const chosen = new Set(Array.isArray(value) ? value : [])
        entry.intents.set(unit, {
          ...before,
          remove: new Map([...before.remove].filter(([line]) => !chosen.has(line))),
        })
        continue
      }
      // It may have been applied already, of which nobody knows yet.
      const since = isOnItsWay ? 0 : at
      const intent = wished(unit, { [unit]: value, password }, { [unit]: [] }, undefined, since)
      if ('add' in intent) {
        entry.intents.delete(unit)
        // The later word on it, under whatever key it was known before.
        entry.setAt.set(unit, at)
        continue
      }
      entry.intents.set(unit, intent)
      entry.touched.add(unit)
      if (carried?.password === true) entry.touched.add('password')
    }
  }

  /** A website that a decision creates again, or doesn't, if the one that was there proves not to be gone. */
  givenBack(key: string, domain: string): void {
    const entry = this.found(key, domain, null)
    for (const unit of settingNames) entry.touched.add(unit)
    entry.touched.add('password')
  }

  /**
   * What was set of a website that was to give this one back went into its edit, when that one proved to be there still:
   * it's decided with it, and what is left of it there is that one's. `isHere`: whether a website is in the list by itself.
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
        // A list may have lines of both.
        const isTheirs = kept !== undefined && !('add' in kept)
        if (fields.includes(unit) && (!waits.includes(unit) || isTheirs)) entry.intents.delete(unit)
      }
    }
  }

  /**
   * A create may be adopted: where the website that was there is in the list under another key, what was done to it before
   * is overruled, but for what waits there.
   */
  overruled({ website, domain, kind }: EditView, waiting: readonly EditView[]): void {
    for (const entry of this.entries.values()) {
      if (kind !== 'create' || entry.key === website || entry.domain !== domain) continue
      const waits = waiting.filter((edit) => edit.website === entry.key).flatMap(({ fields }) => fields)
      for (const unit of settingNames) if (!waits.includes(unit)) entry.intents.delete(unit)
    }
  }

  /**
   * The website that is there was taken for the one that was to be created, deleted, or let be: whatever was wanted of it
   * before, the later word counts. `isHere`: whether it's still in the list by itself; else it has become one with the other.
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
      if (!isGoing && entry.wanted !== 'gone' && isHere(entry.key)) continue
      entry.wanted = isGoing ? 'gone' : 'unsure'
      entry.wantedAt = at
      entry.said.push({ about: 'all', at })
    }
  }
}
