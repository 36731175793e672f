import type { EditView, HistoryEntry } from '../../../src/shared/edit.ts'
import { isOurs, type Website } from '../service/records.ts'
import type { World } from '../world/world.ts'
import type { Finding } from './fault.ts'

/** Finds questions to the user that a read could have answered. */
export function judgeAsked(world: World, edit: EditView): Finding[] {
  const { app, ledger, service } = world
  if (edit.state !== 'parked' || edit.kind === 'create') return []
  const id = app.view.get(edit.website)?.id
  const record = service.websites.find((website) => website.id === id || String(website.number) === id)
  if (record === undefined) return []
  const parkedThough = (why: string): Finding[] => [
    { count: 'false', text: `${edit.domain}: ${edit.kind} parked as ${String(edit.reason)}, and ${why}` },
  ]
  if (edit.reason === 'gone') return record.deleted === null ? parkedThough('it is there') : []
  if (edit.reason !== 'conflict') return []
  if (wasAnswered(world, edit, record)) return parkedThough('nothing has changed since the user answered')
  if (edit.kind === 'update' && edit.conflict === null) return parkedThough('nothing is at issue')
  // An adopted website was shown as it was at the time of the question. If another client's website was taken for ours, the
  // app cannot know who has changed it since.
  const isTaken = ({ became }: HistoryEntry) => became !== 'sent' || !record.states.slice(0, 1).some(isOurs)
  if (app.history().some((past) => past.kind === 'create' && past.domain === edit.domain && isTaken(past))) return []
  // An imported edit is as old as its export, so the app asks about our own later writes too.
  if (ledger.imported.has(edit.id)) return []
  return isOnlyOurs(world, record) ? parkedThough('nobody else has touched it') : []
}

/** True if the user has answered about this very state of the website, and has changed nothing of it since. */
function wasAnswered({ answers, ledger, service }: World, edit: EditView, record: Website): boolean {
  const answer = answers.get(edit.id)
  if (answer?.website !== record || service.clockWasSet || ledger.imported.has(edit.id)) return false
  const decisions = ledger.entries.get(edit.website)?.decisions ?? []
  return (
    record.states.length === answer.states &&
    !decisions.some(({ at }) => at > answer.at) &&
    (edit.kind === 'delete' || edit.conflict?.units.every(({ unit }) => answer.units.includes(unit)) === true)
  )
}

/** True if all states are ours and could be read: no request was late, and no read was stale. */
function isOnlyOurs({ service, network }: World, website: Website): boolean {
  // If the clock was set, a later state may look earlier.
  if (service.clockWasSet || service.quirks.ignoresEmail) return false
  const faultOf = (request: number) => network.sent[request - 1]?.fault?.kind
  return (
    !hasTakenPlace({ service, network }, website) &&
    website.states.slice(1).every((state) => isOurs(state) && faultOf(state.request) !== 'late') &&
    !service.readings.some(({ website: of, request }) => of === website && (network.sent[request - 1]?.lag ?? 0) > 0)
  )
}

/** True if another client, or a late request of ours, created the website with the domain of a deleted website of ours. */
const hasTakenPlace = (
  { service: { websites }, network }: Pick<World, 'service' | 'network'>,
  { domain, states, createdAt }: Website,
): boolean =>
  !states.slice(0, 1).some((first) => isOurs(first) && network.sent[first.request - 1]?.fault?.kind !== 'late') &&
  websites.some(
    (one) => one.domain === domain && (one.deleted?.at ?? Infinity) < createdAt && one.states.slice(0, 1).some(isOurs),
  )
