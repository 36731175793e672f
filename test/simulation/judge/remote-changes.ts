import type { HistoryEntry } from '../../../src/shared/edit.ts'
import { settingNames } from '../../../src/shared/website.ts'
import { isRequestOf, type Sent } from '../service/network.ts'
import type { Version, Website } from '../service/records.ts'
import type { World } from '../world/world.ts'
import type { Finding } from './fault.ts'
import { hadRoom, isForgotten, isInDoubt } from './known.ts'

/**
 * Finds remote changes between our read and our write that the answer to the write showed and the app did not report
 * (docs/sync.md#reading-before-a-write).
 */
export const judgeRemoteChanges = (world: World): Finding[] =>
  world.service.websites.flatMap((website) => {
    const view = world.app.websites().find(({ id }) => id === website.id || id === String(website.number))
    if (website.deleted !== null || view === undefined || view.remoteChange !== undefined) return []
    // The question that the user answered by adopting the website has shown it as it was then.
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
        what: `${website.domain}: the answer to request ${unreported.n} showed a remote change, not reported`,
      },
    ]
  })

/** True if the answer to a write shows another value than the last read in a field that the write did not carry. */
function showsMore(world: World, website: Website, write: Sent): boolean {
  const { readings } = world.service
  const answer = readings.find(({ request, website: of }) => request === write.n && of === website)?.version
  // A stale read that arrives late shows less than the app knew already.
  const read = readings
    .filter(({ by, request, website: of }) => {
      const sent = world.network.sent[request - 1]
      return of === website && by === write.by && sent?.received === true && (sent.endedBefore ?? Infinity) <= write.n
    })
    .reduce<Version | undefined>(
      (newest, { version }) => (newest && newest.at > version.at ? newest : version),
      undefined,
    )
  if (answer === undefined || read === undefined) return false
  const isOther = (one: Version, name: (typeof settingNames)[number]) => one.fields[name] !== answer.fields[name]
  const form = new URLSearchParams(write.body)
  return settingNames.some((name) => !form.has(name) && !world.service.hides(name) && isOther(read, name))
}
