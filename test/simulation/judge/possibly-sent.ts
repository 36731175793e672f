import type { EditView } from '../../../src/shared/edit.ts'
import { settingNames, type SettingName, type WebsiteView } from '../../../src/shared/website.ts'
import { isKnownNot, isRequestOf, type Sent } from '../service/network.ts'
import { isOurs, latest, linesOf, type RecordState, type Website } from '../service/records.ts'
import { isFulfilled, isList, isSameSet, nextIntent, type ListName } from '../ledger/intent.ts'
import type { World } from '../world/world.ts'
import { readBefore } from './app-knowledge.ts'
import type { Finding } from './fault.ts'

/** In milliseconds: how long the app may take to look for a late write. */
const LATE_LOOK = 10 * 60_000

/** In milliseconds: how long the app must wait before a read may prove that a request was not applied. */
const STALE_READS = 2_000

/**
 * Finds values that may have reached the service and that the app no longer accounts for. Runs while the schedule is under way,
 * because at its end the look for late writes has repaired such mistakes.
 */
export function judgePossiblySent(world: World): Finding[] {
  if (!world.app.appRun.alive) return []
  const { edits, outbox } = world.app
  const all = edits()
  const { waiting, parked } = outbox.counts()
  const saysAllSent = waiting + parked === 0 && !outbox.isUnconfirmed()
  return ownWebsites(world).flatMap(([website, view]) => [
    ...judgeDropped(world, website, view, all),
    ...(saysAllSent ? judgeClaim(world, website, view) : []),
  ])
}

function ownWebsites({ app, service }: World): [Website, WebsiteView][] {
  const shown = app.websites()
  return service.present('1').flatMap((website) => {
    const view = shown.find(({ id }) => id === website.id || id === String(website.number))
    return view === undefined ? [] : [[website, view] as [Website, WebsiteView]]
  })
}

/**
 * Finds fields of requests in doubt that no pending edit has any more, although no later request with the field was acknowledged,
 * and no read showed that the request or a later one was applied (docs/sync.md#values-that-may-have-been-sent).
 */
function judgeDropped(world: World, website: Website, view: WebsiteView, all: readonly EditView[]): Finding[] {
  const edits = all.filter((edit) => edit.website === view.key || edit.domain === website.domain)
  if (edits.some(({ kind }) => kind !== 'update')) return []
  const requests = updatesOf(world, website)
  return settingNames.flatMap((name): Finding[] => {
    if (view.pending.includes(name) || edits.some(({ fields }) => fields.includes(name))) return []
    if (name === 'email' && world.service.quirks.ignoresEmail) return []
    const dropped = inDoubt(world, requests, name).find(
      (doubted) => !isAccountedFor(world, website, view, doubted, name),
    )
    if (dropped === undefined) return []
    return [
      { count: 'lost', text: `${website.domain}: ${name} of request ${dropped.n} may be applied, and was dropped` },
    ]
  })
}

const updatesOf = ({ network }: World, website: Website): Sent[] =>
  network.sent.filter(
    (sent) => sent.method === 'PUT' && isOurs(sent) && isRequestOf(website)(sent) && !isKnownNot(sent),
  )

/**
 * The requests with this field whose outcome is unknown, since the last acknowledged one, that ended less than {@link LATE_LOOK}
 * ago, so that the look for late writes was not due.
 */
function inDoubt({ service, time }: World, requests: readonly Sent[], name: SettingName): Sent[] {
  if (service.hides(name)) return []
  const carrying = requests.filter(({ body }) => new URLSearchParams(body).has(name))
  return carrying
    .slice(carrying.findLastIndex((sent) => !isInDoubt(sent)) + 1)
    .filter(({ endedAt }) => endedAt !== null && time.now - endedAt < LATE_LOOK)
}

/** True if the app shows what a request carried, or can know that the request no longer matters. */
const isAccountedFor = (world: World, website: Website, view: WebsiteView, doubted: Sent, name: SettingName): boolean =>
  wasSoBefore(website, doubted, name) ||
  isShown(view, name, valueIn(doubted, name)) ||
  wasReadAsSent(world, website, doubted, name) ||
  wasReadAsApplied(world, website, doubted) ||
  wasReadSince(world, website, doubted, name) ||
  wasReplaced(world, website, doubted, name) ||
  wasDiscarded(world, website, doubted, name)

/** True if the field had the request's value before the request was sent, so that the request could not change it. */
function wasSoBefore({ states }: Website, doubted: Sent, name: SettingName): boolean {
  const before = states.findLast(({ at }) => at <= doubted.at)
  return before !== undefined && isAsSent(before, doubted, name)
}

/**
 * True if the user has since discarded an edit of this field, or a delete that had absorbed it. The value on the service then
 * counts, and the look for late writes is still made.
 */
const wasDiscarded = ({ app, timeline }: World, { domain }: Website, doubted: Sent, name: SettingName): boolean =>
  app.history().some((entry) => {
    const isOfField = entry.kind === 'delete' || entry.settings[name] !== undefined
    return (
      entry.domain === domain &&
      entry.became === 'discarded' &&
      isOfField &&
      timeline.of(entry).until >= (doubted.endedAt ?? Infinity)
    )
  })

/** True if a later request with this field was applied, and a read has shown that state or a later one. */
function wasReadSince({ service, network }: World, website: Website, doubted: Sent, name: SettingName): boolean {
  const { states } = website
  const at = states.findIndex((one) => isOurs(one) && one.request > doubted.n && one.carried.includes(name))
  const isSince = (state: RecordState) => at !== -1 && states.indexOf(state) >= at
  return service.readings.some(
    ({ website: of, by, request, state }) =>
      of === website && isOurs({ by }) && network.sent[request - 1]?.received === true && isSince(state),
  )
}

/**
 * True if a read has shown all values of a later request in doubt that carried the field as well. The app takes that request as
 * applied, although another client may have set the same values, and looks for late writes (docs/sync.md#update-in-doubt).
 */
function wasReplaced({ service, network }: World, website: Website, doubted: Sent, name: SettingName): boolean {
  const carriedBy = ({ body }: Sent) => settingNames.filter((one) => new URLSearchParams(body).has(one))
  const later = network.sent.filter(
    (sent) =>
      sent.n > doubted.n &&
      sent.method === 'PUT' &&
      isOurs(sent) &&
      isRequestOf(website)(sent) &&
      carriedBy(sent).includes(name),
  )
  return service.readings.some(({ website: of, by, request, state }) => {
    const read = network.sent[request - 1]
    if (of !== website || !isOurs({ by }) || read?.received !== true) return false
    return later.some(
      (sent) => read.at >= sent.at && carriedBy(sent).every((one) => service.hides(one) || isAsSent(state, sent, one)),
    )
  })
}

const isInDoubt = (sent: Sent): boolean => !sent.received && !isKnownNot(sent)

const valueIn = ({ body }: Sent, name: SettingName): string => new URLSearchParams(body).get(name) ?? ''

function isShown(view: WebsiteView, name: SettingName, value: string): boolean {
  const shown = view[name]
  if (!Array.isArray(shown)) return Number(shown) === Number(value)
  return isSameSet(shown, linesOf(value))
}

/**
 * True if a later read has shown the field with the request's value, so that the request was applied or the value is there
 * anyway. Also true if any read has shown a line that the request added (docs/sync.md#update-in-doubt). A line that an earlier
 * request with the same value added counts as well; the later request is then still a possible late write.
 */
function wasReadAsSent({ service, network }: World, website: Website, doubted: Sent, name: SettingName): boolean {
  const alike = network.sent.filter(
    (sent) =>
      sent.method === 'PUT' &&
      isOurs(sent) &&
      isRequestOf(website)(sent) &&
      sent.n <= doubted.n &&
      new URLSearchParams(sent.body).has(name) &&
      valueIn(sent, name) === valueIn(doubted, name),
  )
  return service.readings.some(({ website: of, by, request, state }) => {
    const read = network.sent[request - 1]
    if (of !== website || !isOurs({ by }) || read?.received !== true) return false
    // A read that began before the request may have been answered after it.
    const isSince = read.at >= doubted.at || isMadeBy(state, doubted)
    return (isSince && isAsSent(state, doubted, name)) || alike.some((sent) => hasAddedLine(website, state, sent))
  })
}

/**
 * True if a later read has shown everything that the request changed. The app takes the whole request as applied, although
 * another client may have set the same values, and looks for late writes (docs/sync.md#update-in-doubt).
 */
function wasReadAsApplied(world: World, website: Website, doubted: Sent): boolean {
  const { service, network } = world
  const before = website.states[readBefore(world, website, doubted) ?? -1]
  if (before === undefined) return false
  const carried = settingNames.filter((one) => new URLSearchParams(doubted.body).has(one) && !service.hides(one))
  const changed = carried.filter((one) => !isAsSent(before, doubted, one))
  return (
    changed.length > 0 &&
    service.readings.some(({ website: of, by, request, state }) => {
      const read = network.sent[request - 1]
      const isLater = read?.received === true && read.at >= doubted.at
      return of === website && isOurs({ by }) && isLater && changed.every((one) => isAsSent(state, doubted, one))
    })
  )
}

const isMadeBy = (state: RecordState, { n }: Sent): boolean => isOurs(state) && state.request === n

function hasAddedLine({ states }: Website, state: RecordState, sent: Sent): boolean {
  const at = states.findIndex((one) => isMadeBy(one, sent))
  const [before, own] = [states[at - 1], states[at]]
  if (before === undefined || own === undefined || states.indexOf(state) < at) return false
  return lists.some((list) => {
    const linesBefore = linesOf(before.fields[list])
    const added = linesOf(own.fields[list]).filter((line) => !linesBefore.includes(line))
    return added.some((line) => linesOf(state.fields[list]).includes(line))
  })
}

const lists: readonly ListName[] = ['exclude_ips', 'exclude_params']

/** True if a state has the value of the field that a request carried; the lines of a list may be in another order. */
function isAsSent({ fields }: RecordState, doubted: Sent, name: SettingName): boolean {
  const value = valueIn(doubted, name)
  if (!isList(name)) return Number(fields[name]) === Number(value)
  return isSameSet(linesOf(fields[name]), linesOf(value))
}

/**
 * Finds values that our own requests wrote last and that the app does not show although it says that everything is on the
 * service. Values that other clients wrote may not have been read yet.
 */
function judgeClaim(world: World, website: Website, view: WebsiteView): Finding[] {
  // If the clock was set back, an old record looks like a new one.
  if (world.service.clockWasSet) return []
  return settingNames.flatMap((name): Finding[] => {
    const value = view[name]
    const writer = lastWriter(website, name)
    if (value === undefined || world.service.hides(name) || writer === undefined || !isOurs(writer)) return []
    if (isFulfilled(nextIntent(name, { [name]: value }, {}, undefined, 0), latest(website).fields)) return []
    return [
      {
        count: 'false',
        text: `${website.domain}: ${name} of request ${writer.request} is not shown, and everything is reported as sent`,
      },
    ]
  })
}

const lastWriter = ({ states }: Website, name: SettingName): RecordState | undefined =>
  states.findLast(({ fields }, index) => fields[name] !== states[index - 1]?.fields[name])

/**
 * Finds requests that were sent again although no read left at least two seconds after the first one was given up
 * (docs/sync.md#stale-reads), and no earlier read showed a part of it as applied.
 */
export const judgeEarlyResends = (world: World): Finding[] => {
  const { sent } = world.network
  return sent.flatMap((again): Finding[] => {
    const first = again.method === 'GET' ? undefined : previousWrite(sent, again)
    if (first?.endedAt == null || !isInDoubt(first) || !carriesPartOf(first, again)) return []
    const { endedAt } = first
    const reads = sent
      .slice(first.n, again.n - 1)
      .filter(({ method, by, received }) => method === 'GET' && by === again.by && received)
    if (reads.some(({ at }) => at >= endedAt + STALE_READS) || reads.some((read) => showsPartOf(world, read, first)))
      return []
    return [{ count: 'wrong', text: `request ${again.n} repeats request ${first.n} after an early read` }]
  })
}

const previousWrite = (sent: readonly Sent[], { n, by, path, method, body }: Sent): Sent | undefined =>
  sent
    .slice(0, n - 1)
    .findLast(
      (one) =>
        one.method !== 'GET' &&
        one.by === by &&
        one.path === path &&
        (method !== 'POST' || domainIn(one) === domainIn({ body })),
    )

const domainIn = ({ body }: Pick<Sent, 'body'>): string | null => new URLSearchParams(body).get('domain')

function carriesPartOf(first: Sent, again: Sent): boolean {
  if (first.method !== again.method) return false
  if (first.method !== 'PUT') return true
  const form = new URLSearchParams(again.body)
  return [...new URLSearchParams(first.body)].some(([name, value]) => form.get(name) === value)
}

const showsPartOf = ({ service }: World, read: Sent, first: Sent): boolean =>
  service.readings.some(
    ({ request, state, website }) =>
      request === read.n &&
      (first.method === 'POST' ? website.domain === domainIn(first) : isRequestOf(website)(first)) &&
      settingNames.some((name) => new URLSearchParams(first.body).has(name) && isAsSent(state, first, name)),
  )
