import type { HistoryEntry } from '../../../src/shared/edit.ts'
import { settingNames } from '../../../src/shared/website.ts'
import { isRequestOf, type Sent } from '../service/network.ts'
import { isOurs, type RecordState, type Website } from '../service/records.ts'
import type { World } from '../world/world.ts'
import type { Finding } from './fault.ts'
import { hadRoom, isForgotten, isInDoubt, isInterrupted } from './app-knowledge.ts'

/** Finds remote changes that the app did not report, and changes of our own that it reported as those of another client. */
export const judgeRemoteChanges = (world: World): Finding[] => [...unreportedOf(world), ...misreportedOf(world)]

/** Finds reported changes that no other client has made (docs/sync.md#activity). */
const misreportedOf = (world: World): Finding[] =>
  world.app.remote().flatMap(({ kind, domain, remote }) => {
    const fields = remote?.fields ?? []
    const websites = world.service.websites.filter((website) => website.domain === domain)
    if (websites.some((website) => isReportedRight(world, website, kind, fields))) return []
    const text = `${domain}: ${kind} (${fields.join(', ')}) is reported as a remote change, and was not one`
    return [{ count: 'false', text }]
  })

/** True if another client made a change like this of the website, or if the app cannot know that the change was ours. */
function isReportedRight(world: World, website: Website, kind: string, fields: readonly string[]): boolean {
  const { states, deleted } = website
  if (kind === 'deleted') return deleted !== null && (!isOurs(deleted) || isDoubted(world, website, deleted))
  // The user may have decided that someone else added a website that a request in doubt of ours had created.
  if (kind === 'added') return states[0] !== undefined && (!isOurs(states[0]) || isDoubted(world, website, states[0]))
  const theirs = states.filter((state) => !isOurs(state))
  return fields.every((name) => theirs.some(({ carried }) => carried.some((each) => each === name)))
}

function isDoubted(world: World, website: Website, { request }: { request: number }): boolean {
  const sent = world.network.sent[request - 1]
  return !sent?.received || isInDoubt(world, sent) || isInterrupted(world, website, sent)
}

/**
 * Finds remote changes between our read and our write that the answer to the write showed and the app did not report
 * (docs/sync.md#reading-before-a-write).
 */
const unreportedOf = (world: World): Finding[] =>
  world.service.websites.flatMap((website) => {
    const view = world.app.websites().find(({ id }) => id === website.id || id === String(website.number))
    if (website.deleted !== null || view === undefined) return []
    if (world.app.remote().some((entry) => entry.website === view.key)) return []
    // Before the user adopted the website, the question showed the website as it was then.
    const isAdoption = (past: HistoryEntry) => past.website === view.key && past.became === 'adopted'
    const adopted = world.app.history().filter(isAdoption)
    const adoptedAt = Math.max(-1, ...adopted.map((past) => world.timeline.of(past).until))
    const isCreate = ({ method, body }: Sent) =>
      method === 'POST' && new URLSearchParams(body).get('domain') === website.domain
    const isUpdate = (sent: Sent) => sent.method === 'PUT' && isRequestOf(website)(sent)
    // A request that is in doubt, or that a crash interrupted, may have made the difference itself.
    const writes = world.network.sent.filter((sent) => isCreate(sent) || isUpdate(sent))
    const interrupted = world.interrupted.find(({ domain }) => domain === website.domain)?.at ?? Infinity
    const certain = writes
      .slice(0, writes.findIndex((write) => isInDoubt(world, write)) >>> 0)
      .filter((sent) => isUpdate(sent) && sent.at < interrupted && !isForgotten(world, website, sent))
      .filter(({ endedAt }) => (endedAt ?? Infinity) > adoptedAt)
    const unreported = certain.find(
      (write) => write.received && hadRoom(world, write) && showsMore(world, website, write),
    )
    if (unreported === undefined) return []
    return [
      {
        count: 'false',
        text: `${website.domain}: the answer to request ${unreported.n} showed a remote change, not reported`,
      },
    ]
  })

/** True if the answer to a write shows another value than the last read in a field that the write did not carry. */
function showsMore(world: World, website: Website, write: Sent): boolean {
  const { readings } = world.service
  const answer = readings.find(({ request, website: of }) => request === write.n && of === website)?.state
  // Ignores a stale read that arrives late and shows less than the app already knew.
  const read = readings
    .filter(({ by, request, website: of }) => {
      const sent = world.network.sent[request - 1]
      return of === website && by === write.by && sent?.received === true && (sent.endedBefore ?? Infinity) <= write.n
    })
    .reduce<RecordState | undefined>(
      (newest, { state }) => (newest && newest.at > state.at ? newest : state),
      undefined,
    )
  if (answer === undefined || read === undefined) return false
  const isOther = (one: RecordState, name: (typeof settingNames)[number]) => one.fields[name] !== answer.fields[name]
  const form = new URLSearchParams(write.body)
  return settingNames.some((name) => !form.has(name) && !world.service.hides(name) && isOther(read, name))
}
