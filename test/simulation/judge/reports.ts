import type { EditView, HistoryEntry } from '../../../src/shared/edit.ts'
import { buildCreateRequest } from '../../../src/main/service/requests.ts'
import { createDefaults, settingNames, type SettingName, type WebsiteSettings } from '../../../src/shared/website.ts'
import { isKnownNot, isRequestOf, type Sent } from '../service/network.ts'
import { isOurs, linesOf, type Fields, type RecordState, type Website } from '../service/records.ts'
import type { World } from '../world/world.ts'
import type { Finding } from './fault.ts'
import { READ_WINDOW } from './app-knowledge.ts'
import { judgeAsked } from './parks.ts'

export const judgeReports = (world: World): Finding[] =>
  world.app.history().flatMap((entry) => judgeHistory(world, entry))

/** Finds edits and rows that are shown but should not be. Runs before the user answers the edits. */
export const judgeShown = (world: World): Finding[] => [
  ...world.app.edits().flatMap((edit) => [...judgeParked(world, edit), ...judgeAsked(world, edit)]),
  ...judgeRows(world),
]

function judgeRows({ app }: World): Finding[] {
  const rows = app.websites()
  const edited = new Set(app.edits().map(({ website }) => website))
  const created = new Set(rows.flatMap(({ id, domain }) => (id === null ? [domain] : [])))
  return rows
    .filter(({ id, key, domain }) => id !== null && created.has(domain) && !edited.has(key))
    .map(({ domain }) => ({ count: 'wrong', text: `${domain}: is listed twice` }))
}

function judgeHistory(world: World, entry: HistoryEntry): Finding[] {
  if (entry.became === 'discarded' || entry.became === 'undone') return []
  const { service, timeline } = world
  const records = service.websites.filter(({ domain }) => domain === entry.domain)
  if (entry.kind === 'delete') {
    const { until } = timeline.of(entry)
    const isGone = records.some(({ deleted }) => deleted !== null && deleted.at <= until) || records.length === 0
    return isGone ? [] : [{ count: 'false', text: `${entry.domain}: shown as deleted, and it never was` }]
  }
  if (entry.kind === 'create' && isAnotherClients(world, entry))
    return [{ count: 'false', text: `${entry.domain}: shown as created, and another client had created it before` }]
  const states = records.flatMap((record) => knownWhile(world, record, timeline.of(entry)))
  return settingNames.flatMap((name): Finding[] => {
    const value = entry.settings[name]
    if (value === undefined || entry.ignored[name] !== undefined) return []
    if (name === 'email' && service.quirks.ignoresEmail) return []
    if (states.some(({ fields }) => has(fields, name, value))) return []
    return [{ count: 'false', text: `${entry.domain}: ${name} shown as ${entry.became}, and it never was` }]
  })
}

/**
 * Returns the states that our own writes made and our reads showed while an edit was pending. Includes states from {@link
 * READ_WINDOW} earlier, because the edit's write may be compared with such a read.
 */
function knownWhile({ service, network }: World, website: Website, { from, until }: { from: number; until: number }) {
  const isThen = (at: number | null | undefined) => at != null && at >= from - READ_WINDOW && at <= until
  const read = service.readings.filter(({ website: of, by, request }) => {
    const { received, endedAt } = network.sent[request - 1] ?? {}
    return of === website && isOurs({ by }) && received === true && isThen(endedAt)
  })
  return [...website.states.filter((one) => isOurs(one) && isThen(one.at)), ...read.map(({ state }) => state)]
}

/** True if a record has this value of a setting. A list in the record may have more lines. */
function has(fields: Readonly<Fields>, name: SettingName, value: WebsiteSettings[SettingName]): boolean {
  if (Array.isArray(value)) {
    const lines = new Set(linesOf(fields[name] as string | null))
    return value.every((line) => lines.has(line))
  }
  return Number(fields[name]) === Number(value)
}

/** True if a request carried this value: a list with the same lines, in any order. */
const isExactly = (carried: string, value: NonNullable<WebsiteSettings[SettingName]>): boolean =>
  Array.isArray(value)
    ? [...linesOf(carried)].sort().join('\n') === [...value].sort().join('\n')
    : Number(carried) === Number(value)

/** Finds edits that are shown as failed but were applied by a request that was not late. */
function judgeParked(world: World, edit: EditView): Finding[] {
  const { service, network } = world
  if (edit.state !== 'parked' || edit.kind === 'delete') return []
  if (!['refused', 'failing', 'website-limit', 'domain-taken', 'adopt'].includes(edit.reason ?? '')) return []
  const record = service.websites.findLast(({ domain, deleted }) => domain === edit.domain && deleted === null)
  const state = edit.kind === 'create' ? ownCreation(record) : record?.states.at(-1)
  if (state === undefined || !isOf(network.sent[state.request - 1], edit)) return []
  if (edit.kind === 'create' ? !canProveOurs(world, edit, state) : !isKept(edit, state)) return []
  if (edit.kind === 'update' && record !== undefined && !canBeSeen(world, edit, record, state)) return []
  if (wasReadStale(world, record, state)) return []
  const text = `${edit.domain}: ${edit.kind} parked as ${String(edit.reason)}, and request ${state.request} was applied`
  return [{ count: 'false', text }]
}

/** True if a read after a request of ours showed the website as it was before. */
const wasReadStale = (
  { service, network }: World,
  website: Website | undefined,
  { request: after }: RecordState,
): boolean =>
  service.readings.some(
    ({ website: of, request }) => of === website && request > after && (network.sent[request - 1]?.lag ?? 0) > 0,
  )

/**
 * Time before our request in which a create of another client cannot be told from ours, in milliseconds: the service's `Date` and
 * the time of the record are truncated to whole seconds, and an answer takes a moment to arrive.
 */
const UNKNOWABLE = 2_500

/** True if another client created every website with the domain before our first request for it. */
function isAnotherClients({ service, network, timeline }: World, entry: HistoryEntry): boolean {
  if (entry.became !== 'sent' || service.clockWasSet) return false
  const { from } = timeline.of(entry)
  const isRequest = ({ method, body }: Sent) =>
    method === 'POST' && new URLSearchParams(body).get('domain') === entry.domain
  const first = network.sent.find((sent) => isOurs(sent) && isRequest(sent) && sent.at >= from - READ_WINDOW)
  const records = service.websites.filter(({ domain }) => domain === entry.domain)
  return (
    first !== undefined &&
    records.length > 0 &&
    records.every(({ states, createdAt }) => !states.slice(0, 1).some(isOurs) && createdAt < first.at - UNKNOWABLE)
  )
}

const isKept = ({ settings }: EditView, { fields }: RecordState): boolean =>
  settingNames.every((name) => settings[name] === undefined || has(fields, name, settings[name]))

/**
 * True if a request of ours that was not late carried exactly the values of an edit; passwords are not compared. The request of a
 * create is built from its settings, because a parked create shows the request that may follow instead of its own.
 */
function isOf(sent: Sent | undefined, { kind, domain, settings, request }: EditView): boolean {
  if (sent === undefined || !isOurs(sent) || sent.fault?.kind === 'late') return false
  const sends = kind === 'create' ? buildCreateRequest({ ...createDefaults, ...settings, domain }) : request
  const form = (sends.form ?? []).filter(([name]) => name !== 'password')
  const carried = new URLSearchParams(sent.body)
  carried.delete('password')
  return form.length > 0 && form.length === carried.size && form.every(([name, value]) => carried.get(name) === value)
}

/**
 * True if a read can prove that an update was applied by its last request. It cannot for fields that the service does not show,
 * nor for values that were there before an earlier request of ours that changed the field, or that may have done so: the read
 * may be older than that request, or the request may still arrive.
 */
const canBeSeen = (world: World, { fields, settings }: EditView, website: Website, last: RecordState): boolean =>
  fields.some((name) => {
    if (name === 'domain' || name === 'password' || world.service.hides(name)) return false
    if (name === 'privacy' && fields.includes('password')) return false
    const value = settings[name]
    if (value === undefined) return false
    const isAsWanted = (of: Readonly<Fields>) => has(of, name, value)
    const { states } = website
    const hasChanged = states.some(
      (one, index) =>
        isOurs(one) &&
        !isAsWanted(one.fields) &&
        states.slice(0, index).findLast(({ fields: of }) => isAsWanted(of)) === states[index - 1],
    )
    const mayHaveChanged = world.network.sent.slice(0, last.request - 1).some((sent) => {
      const carried = new URLSearchParams(sent.body).get(name)
      const isInDoubt = isOurs(sent) && isRequestOf(website)(sent) && !sent.received && !isKnownNot(sent)
      return isInDoubt && carried !== null && !isExactly(carried, value)
    })
    // The app was ended while the request was being sent, so the request may have left.
    const mayHaveLeft = world.interrupted.some(({ domain, form }) => {
      const carried = form.get(name)
      return domain === website.domain && carried !== null && !isExactly(carried, value)
    })
    return !hasChanged && !mayHaveChanged && !mayHaveLeft
  })

/** True if the app can know that it made a create. Otherwise it asks the user (docs/sync.md#create-in-doubt). */
function canProveOurs(world: World, { domain, website }: EditView, state: RecordState): boolean {
  const { service, network, ledger, completeAt } = world
  const { ignoresEmail } = service.quirks
  const isOnly = service.websites.filter((website) => website.domain === domain).length === 1
  const sentAt = network.sent[state.request - 1]?.at ?? 0
  // An earlier request belonged to another website of this domain, which the user has deleted since.
  const isItsOwn = sentAt >= (ledger.entries.get(website)?.since ?? 0)
  return (
    isOnly &&
    isItsOwn &&
    areTimesKnown(world, sentAt) &&
    !ignoresEmail &&
    !service.clockWasSet &&
    completeAt !== null &&
    sentAt > completeAt
  )
}

/**
 * True if the service's times can be compared with its clock when a request is sent. Either the times have a zone, or the answer
 * to an earlier write of ours has shown how far they are from UTC, and this is on disk, because the same process has sent another
 * write since.
 */
function areTimesKnown({ service, network, fulls }: World, sentAt: number): boolean {
  const { times, emptyAnswers } = service.quirks
  if (times !== 'unzoned' || emptyAnswers) return times === 'zoned'
  const writes = network.sent.filter((sent) => isOurs(sent) && sent.method !== 'GET' && sent.at <= sentAt)
  return writes.some(({ method, by, received, handledWith, endedAt }) => {
    const isAnswered = method === 'POST' && received && (handledWith === 200 || handledWith === 201) && endedAt !== null
    if (!isAnswered || fulls.some(({ from, until }) => from <= endedAt && endedAt <= until)) return false
    return writes.some((later) => later.by === by && later.at > endedAt)
  })
}

/** Returns the state that our create made, or undefined if another client created or changed the website. */
const ownCreation = (record: Website | undefined): RecordState | undefined =>
  record?.states.every(isOurs) ? record.states[0] : undefined
