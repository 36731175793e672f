import type { EditView, HistoryEntry } from '../../../src/shared/edit.ts'
import { isOurs, type Website } from '../service/records.ts'
import type { World } from '../world/world.ts'
import type { Finding } from './fault.ts'

/** The user is asked for what a read could have told. */
export function judgeAsked(world: World, edit: EditView): Finding[] {
  const { app, ledger, service } = world
  if (edit.state !== 'parked' || edit.kind === 'create') return []
  const id = app.view.get(edit.website)?.id
  const record = service.websites.find((website) => website.id === id || String(website.number) === id)
  if (record === undefined) return []
  const told = (why: string): Finding[] => [
    { count: 'false', what: `${edit.domain}: ${edit.kind} parked as ${String(edit.reason)}, and ${why}` },
  ]
  if (edit.reason === 'gone') return record.deleted === null ? told('it is there') : []
  if (edit.reason !== 'conflict') return []
  if (edit.kind === 'update' && edit.conflict === null) return told('nothing is at issue')
  // What was taken for the one that was to be created was shown as it was when that was asked; and of another client's, taken for
  // ours, nobody can tell who has changed it since.
  const isTaken = ({ became }: HistoryEntry) => became !== 'sent' || !record.versions.slice(0, 1).some(isOurs)
  if (app.history().some((past) => past.kind === 'create' && past.domain === edit.domain && isTaken(past))) return []
  // What comes again by an import is what was wished when that was exported: what we wrote since is asked about as well.
  if (ledger.imported.has(edit.id)) return []
  return isOnlyOurs(world, record) ? told('nobody else has touched it') : []
}

/** Whatever it was, we wrote it and could read that: no request of ours was late, and no answer behind. */
function isOnlyOurs({ service, network }: World, website: Website): boolean {
  // By a clock that was set what came later may look like what came before.
  if (service.clockWasSet || service.quirks.ignoresEmail) return false
  const faultOf = (request: number) => network.sent[request - 1]?.fault?.kind
  return (
    !hasTakenPlace(service, website) &&
    website.versions.slice(1).every((version) => isOurs(version) && faultOf(version.request) !== 'late') &&
    !service.readings.some(({ website: of, request }) => of === website && (network.sent[request - 1]?.lag ?? 0) > 0)
  )
}

/** Another client has made it of the same domain as one of ours, which is gone. */
const hasTakenPlace = ({ websites }: World['service'], { domain, versions, createdAt }: Website): boolean =>
  !versions.slice(0, 1).some(isOurs) &&
  websites.some(
    (one) =>
      one.domain === domain && (one.deleted?.at ?? Infinity) < createdAt && one.versions.slice(0, 1).some(isOurs),
  )
