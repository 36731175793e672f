import type { EditView } from '../../../src/shared/edit.ts'
import type { SettingName, WebsiteSettings } from '../../../src/shared/website.ts'
import type { LedgerEntry } from '../ledger/entry.ts'
import type { Network } from '../service/network.ts'
import { isOurs, type RecordState, type Website } from '../service/records.ts'
import { isFulfilled, partsOf, type Intent } from '../ledger/intent.ts'
import type { World } from '../world/world.ts'
import type { Finding } from './fault.ts'
import { isLate, isRemoteAgain, isRemoteNow, isUnseen, readAsIntended } from './late-writes.ts'

/** Finds acknowledged edits that are neither applied nor superseded nor visible, and that the user has not canceled. */
export function judgeIntents(world: World): Finding[] {
  const edits = world.app.edits()
  const found = [...world.ledger.entries.values()].flatMap((entry) => judgeEntry(world, entry, edits))
  // A lost edit is not shown anywhere either, so it counts as `silent` too.
  return found.flatMap((finding) => (finding.count === 'lost' ? [finding, { ...finding, count: 'silent' }] : [finding]))
}

function judgeEntry(world: World, entry: LedgerEntry, edits: readonly EditView[]): Finding[] {
  const visible = edits.filter(({ website, domain }) => website === entry.key || domain === entry.domain)
  const records = recordsOf(world, entry)
  if (entry.expected === 'gone') return judgeGone(world, entry, records, visible)
  const record = records.findLast(({ deleted }) => deleted === null)
  if (record === undefined) return judgeAbsent(world, entry, records, visible)
  return inParts(entry, (intent) => judgeIntent(entry, intent, record, visible, world))
}

const inParts = ({ intents }: LedgerEntry, judge: (intent: Intent) => Finding[]): Finding[] =>
  [...intents.values()].flatMap((intent) => partsOf(intent).flatMap(judge).slice(0, 1))

function recordsOf(
  { service, app, network }: World,
  { key, ids, domain, createdByApp, expected, since: from }: LedgerEntry,
): Website[] {
  const now = app.view.get(key)?.id
  const knownIds = new Set([...ids, ...(now == null ? [] : [now])])
  const byId = service.websites.filter(({ id, number }) => knownIds.has(id) || knownIds.has(String(number)))
  if (byId.length > 0) return byId
  return service.websites.filter(
    (website) =>
      website.domain === domain &&
      website.account === '1' &&
      (expected !== 'gone' || (createdByApp && isMadeSince(network, website, from))),
  )
}

/** True if a request of ours created the website after `since`. An earlier create belongs to another intent. */
function isMadeSince({ sent }: Network, { states: [first] }: Website, since: number): boolean {
  return first !== undefined && isOurs(first) && (sent[first.request - 1]?.at ?? 0) >= since
}

function judgeGone(
  world: World,
  entry: LedgerEntry,
  records: readonly Website[],
  visible: readonly EditView[],
): Finding[] {
  const left = records.filter(({ deleted, createdAt }) => deleted === null && createdAt <= entry.expectedAt)
  if (left.length === 0 || visible.length > 0 || isTakenSince(world, entry, left)) return []
  return [{ count: 'lost', text: `${entry.domain}: the delete is nowhere, and the website is there` }]
}

/** True if the user undid a create in doubt, its website appeared under another key, and the user changed it there. */
const isTakenSince = ({ app, ledger }: World, { key, expectedAt }: LedgerEntry, left: readonly Website[]): boolean =>
  app.view.get(key) === null &&
  left.every(({ id, number }) =>
    [...ledger.entries.values()].some(
      (other) =>
        other.key !== key &&
        (other.ids.has(id) || other.ids.has(String(number))) &&
        [...other.setAt.values()].some((at) => at > expectedAt),
    ),
  )

function judgeAbsent(
  world: World,
  entry: LedgerEntry,
  records: readonly Website[],
  visible: readonly EditView[],
): Finding[] {
  if (visible.length > 0) return []
  const last = records.at(-1)
  if (last?.deleted == null) {
    const isLost = entry.expected === 'present' || entry.intents.size > 0
    return isLost ? [{ count: 'lost', text: `${entry.domain}: it was never created, and isn't waiting` }] : []
  }
  if (isOurs(last.deleted)) {
    const isWrong =
      entry.expected === 'present' && last.deleted.at > entry.expectedAt && !isDeletedSince(world, entry, last)
    return isWrong ? [{ count: 'wrong', text: `${entry.domain}: deleted by us, and nobody wanted that` }] : []
  }
  // If another client deleted the website, an edit that was not applied before must be shown.
  const gone = last.deleted.at
  const before = last.states.filter(({ at }) => at <= gone)
  return inParts(entry, (intent) =>
    // An edit and its undo may be dropped together.
    intent.at <= entry.decidedAt ||
    (intent.at < gone && wasFulfilled(intent, before)) ||
    wasBack(intent, before) ||
    wasLeftAlone(intent, before) ||
    wasReadAsIntended(world, intent, last) ||
    wasIgnored(world, entry, intent)
      ? []
      : lostIntent(entry, intent),
  )
}

/**
 * True if the user deleted the website, or decided about its deletion, under another key. A website gets a second key if the
 * list showed it before its create was confirmed, or if it was to be restored.
 */
const isDeletedSince = (
  { ledger }: World,
  { key, expectedAt }: LedgerEntry,
  { id, number, deleted }: Website,
): boolean =>
  [...ledger.entries.values()].some((other) => {
    const isIt = other.key !== key && (other.ids.has(id) || other.ids.has(String(number)))
    const at = deleted?.at ?? 0
    const isAsked = other.decidedAt >= at
    return isIt && (isAsked || (other.expected === 'gone' && other.expectedAt > expectedAt && other.expectedAt < at))
  })

const lostIntent = ({ domain }: LedgerEntry, { unit }: Intent): Finding[] => [
  { count: 'lost', text: `${domain}: ${unit} was never applied, and isn't waiting` },
]

/** True if the field was set back before another client deleted the website, so that nothing was left to send. */
const wasBack = (intent: Intent, before: readonly RecordState[]): boolean => {
  const last = before.at(-1)
  return intent.backFrom !== undefined && last !== undefined && isFulfilled(intent, last.fields)
}

/** True if the user set the field back while a request was in flight that was then not applied: nothing was left to send. */
const wasLeftAlone = ({ unit, backFrom = Infinity }: Intent, states: readonly RecordState[]): boolean =>
  backFrom < Infinity && !states.some((one) => isOurs(one) && one.at >= backFrom && one.carried.includes(unit))

function wasFulfilled(intent: Intent, states: readonly RecordState[]): boolean {
  return since(intent, states).some(({ fields }) => isFulfilled(intent, fields))
}

function since(intent: Intent, states: readonly RecordState[]): readonly RecordState[] {
  const first = states.findLastIndex(({ at }) => at <= intent.at)
  return states.slice(Math.max(0, first))
}

/** Finds an intent that was never applied and is not shown (`lost`), or that a request of ours undid (`wrong`). */
function judgeIntent(
  entry: LedgerEntry,
  intent: Intent,
  record: Website,
  visible: readonly EditView[],
  world: World,
): Finding[] {
  const states = since(intent, record.states)
  const last = states.at(-1)
  if (last === undefined || isFulfilled(intent, last.fields)) return []
  if (visible.some((edit) => shows(edit, intent.unit))) return []
  if (wasIgnored(world, entry, intent)) return []
  if (isSetSince(world, entry, intent) || isDecidedSince(world, entry, intent)) return []
  const fulfilled = states.findLastIndex(({ fields }) => isFulfilled(intent, fields))
  if (fulfilled === -1 && (wasLeftAlone(intent, record.states) || isAsWeWroteLast(world, intent, record))) return []
  if (fulfilled === -1) return wasReadAsIntended(world, intent, record) ? [] : lostIntent(entry, intent)
  const breaker = states[fulfilled + 1]
  if (breaker === undefined || !isOurs(breaker) || isUnseen(world, record, breaker)) return []
  if (isRemoteAgain(world, intent, record, states.slice(0, fulfilled + 1), breaker)) return []
  if (isLate(world, breaker) && isRemoteNow(intent, states.slice(fulfilled + 1))) return []
  if (isLate(world, breaker) && visible.some(({ state }) => state === 'parked')) return []
  return [{ count: 'wrong', text: `${entry.domain}: ${intent.unit} was undone by our request ${breaker.request}` }]
}

/**
 * True if a read, maybe a stale one, showed the value as intended, so that nothing was left to send, and only other clients have
 * changed it since.
 */
const wasReadAsIntended = (world: World, intent: Intent, record: Website): boolean =>
  readAsIntended(world, intent, record).some((shown) => {
    const later = record.states.slice(record.states.indexOf(shown) + 1)
    return !later.some((state) => isOurs(state) && state.carried.includes(intent.unit))
  })

/**
 * True if the user set the field later under another key of the same website. A website that is being restored becomes a
 * change of the original if that still exists, and a list may show a website before its create is confirmed.
 */
const isSetSince = ({ app, ledger }: World, { key, domain }: LedgerEntry, { unit, at }: Intent): boolean =>
  [...ledger.entries.values()].some(
    (other) =>
      other.key !== key &&
      other.domain === domain &&
      (app.view.get(key) === null || app.view.get(other.key) === null) &&
      Math.max(other.intents.get(unit)?.at ?? 0, other.setAt.get(unit) ?? 0) > at,
  )

/**
 * True if the change need not be visible any more: a website of its domain that had the intended value, or was left as it was,
 * has been deleted. Either we deleted it, or another client did and the user has decided about that under another key.
 */
const isDecidedSince = ({ app, ledger, service }: World, { key, domain }: LedgerEntry, intent: Intent): boolean =>
  app.view.get(key) === null &&
  service.websites.some(
    ({ domain: of, deleted, states }) =>
      of === domain &&
      deleted !== null &&
      (wasFulfilled(intent, states) || wasLeftAlone(intent, states)) &&
      (isOurs(deleted) ||
        [...ledger.entries.values()].some(
          (other) => other.key !== key && other.domain === domain && other.decidedAt > deleted.at,
        )),
  )

/** True if the service does not show the field and our last write of it was as intended: a remote change cannot be seen. */
function isAsWeWroteLast(world: World, intent: Intent, { states }: Website): boolean {
  const own = states.findLast((state) => isOurs(state) && state.carried.includes(intent.unit))
  return world.service.hides(intent.unit) && own !== undefined && isFulfilled(intent, own.fields)
}

const shows = ({ fields, kind }: EditView, unit: SettingName): boolean => kind !== 'update' || fields.includes(unit)

const wasIgnored = ({ app, service }: World, { key }: LedgerEntry, intent: Intent): boolean =>
  (service.quirks.ignoresEmail && intent.unit === 'email') ||
  app
    .history()
    .some(
      ({ website, ignored, settings }) =>
        website === key && ignored[intent.unit] !== undefined && isOf(intent, settings),
    )

function isOf(intent: Intent, settings: Partial<WebsiteSettings>): boolean {
  if (intent.unit === 'privacy') return settings.privacy === intent.privacy
  if (!('add' in intent)) return settings[intent.unit] === intent.value
  const lines = settings[intent.unit] ?? []
  return [...intent.add.keys()].every((line) => lines.includes(line)) && !lines.some((line) => intent.remove.has(line))
}
