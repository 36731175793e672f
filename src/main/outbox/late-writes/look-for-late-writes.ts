import { ok, type AppError, type Result } from '../../../shared/result.ts'
import { settingNames, type WebsiteRecord } from '../../../shared/website.ts'
import { differingFields } from '../model/compare-with-record.ts'
import { isSent, type Edit } from '../model/edit.ts'
import { confirmGone } from '../remote/confirm.ts'
import { findByDomain } from '../remote/lookup.ts'
import type { OutboxPorts, OutboxStore, Website } from '../ports.ts'
import { noteDifferencesByOthers } from '../remote/remote-changes.ts'
import { storeReadRecord } from './note-read.ts'
import { parkForAppearedWebsite, parkForVanishedWebsite, queueRepair } from './repair.ts'
import { carriesOldPassword, carriesOtherThanExpected } from './remember.ts'
import type { LateWrite } from '../model/late-write.ts'

/**
 * Reads once whether a given-up request has taken effect, and repairs or parks the result (docs/sync.md#late-writes). Returns the
 * error of a failed read, or null if the look is done or has to wait for an edit made during the read. Errors: `disk-full`,
 * `storage`.
 */
export async function lookForLateWrites(ports: OutboxPorts, key: string): Promise<Result<AppError | null>> {
  const { store } = ports
  const read = store.read(() => ok({ website: store.website(key), lateWrites: store.lateWritesOf(key) }))
  if (!read.ok) return read
  const { website, lateWrites } = read.value
  const created = await findCreatedWebsite(ports, website, lateWrites)
  if (created.kind === 'unreadable') return ok(created.error)
  const found = await readPossiblyChangedWebsite(ports, website, lateWrites)
  if (found.kind === 'unreadable') return ok(found.error)
  const stamp = { id: ports.random.id(), changedAt: ports.clock.wall() }
  return store.write(() => {
    // The user has changed the website during the read: the look is repeated after that edit.
    if (hasEditDelayingLook(store, key)) return ok(null)
    // Responses that came during the read may have changed the late writes.
    const now = store.lateWritesOf(key).filter(({ n }) => lateWrites.some((lateWrite) => lateWrite.n === n))
    if (found.kind === 'vanished') parkForVanishedWebsite(store, key, stamp)
    if (found.kind === 'read') queueRepair(store, key, now, found.remote, stamp)
    if (created.kind === 'appeared') {
      storeReadRecord(store, created.remote, stamp.changedAt)
      const newIds = { id: ports.random.id(), key: ports.random.id(), changedAt: stamp.changedAt }
      parkForAppearedWebsite(ports, created.lateWrite, created.remote, newIds)
    }
    for (const { n } of now) store.removeLateWrite(n)
    if (found.kind === 'read') {
      const merged = store.website(key)?.record ?? null
      const updates = now.filter(({ kind }) => kind === 'update')
      if (merged !== null && updates.length > 0 && store.hasCompleteSnapshot()) {
        noteDifferencesByOthers(store, key, updates, { merged, answer: found.remote, at: stamp.changedAt })
      }
      storeReadRecord(store, found.remote)
    }
    return ok(null)
  })
}

/**
 * True if the look for late writes has to wait: for an edit that is being sent or in doubt, because the effects of two requests
 * cannot be told apart, and for a pending edit, because it goes first. For a website without an id, the only pending edit that
 * counts is a create that is to be sent or looked up, because it finds the website by itself.
 */
export function hasEditDelayingLook(store: OutboxStore, key: string): boolean {
  const hasId = store.website(key)?.id != null
  return store
    .editsOf(key)
    .some((edit) => hasId || isSent(edit) || (edit.kind === 'create' && willLookUpOwnWebsite(edit)))
}

/** True if the create will look up its website: at once, or for `unread` when the user asks for it. */
const willLookUpOwnWebsite = ({ standing }: Edit): boolean =>
  standing.state === 'queued' || (standing.state === 'parked' && standing.reason === 'unread')

/** `nothing`: there is nothing to look for, or nothing was found. `unreadable`: a read failed. */
type NoRecordFound = { kind: 'nothing' } | { kind: 'unreadable'; error: AppError }
/** `appeared`: a website was found that the given-up create may have made. */
type CreatedLookup = NoRecordFound | { kind: 'appeared'; remote: WebsiteRecord; lateWrite: LateWrite }
/** `vanished`: a given-up delete has removed the website. */
type ChangedRead = NoRecordFound | { kind: 'read'; remote: WebsiteRecord } | { kind: 'vanished' }

const NOTHING: NoRecordFound = { kind: 'nothing' }

/** Reads a website that a given-up update or delete may have changed. */
async function readPossiblyChangedWebsite(
  ports: OutboxPorts,
  website: Website | null,
  lateWrites: LateWrite[],
): Promise<ChangedRead> {
  // Not even a request with the current values is skipped: it changes the order of a list's lines, and `updated_at`.
  if (website?.id == null || lateWrites.every(({ kind }) => kind === 'create')) return NOTHING
  const removal = lateWrites.some(({ kind }) => kind === 'delete')
  const read = await ports.service.get(website.id)
  if (read.outcome === 'applied') return { kind: 'read', remote: read.value }
  if (read.error.code !== 'not-found') return { kind: 'unreadable', error: read.error }
  const gone = await confirmGone(ports, { id: website.id, domain: website.domain }, read.error)
  if (gone !== 'gone') return { kind: 'unreadable', error: gone === 'present' ? read.error : gone }
  return removal ? { kind: 'vanished' } : NOTHING
}

/** Some hosts accept a domain twice, so there may be a second website beside that of a later request. */
async function findCreatedWebsite(
  { service }: OutboxPorts,
  website: Website | null,
  lateWrites: LateWrite[],
): Promise<CreatedLookup> {
  const lateWrite = lateWrites.findLast(({ kind }) => kind === 'create')
  if (lateWrite === undefined) return NOTHING
  const lookup = await findByDomain(service, lateWrite.domain, website?.id ?? null)
  if (lookup.found === 'unreadable') return { kind: 'unreadable', error: lookup.error }
  return lookup.found === 'present' ? { kind: 'appeared', remote: lookup.website, lateWrite } : NOTHING
}

/** True if a given-up request could still change something. Call it within `store.read`. */
export const canLateWriteStillChange = (store: OutboxStore): boolean =>
  store.lateWriteWebsites().some(({ website: key }) => {
    const record = store.website(key)?.record ?? null
    return store
      .lateWritesOf(key)
      .some(
        (lateWrite) =>
          lateWrite.kind !== 'update' ||
          differsFromAcknowledged(lateWrite) ||
          wouldChangeRecord(lateWrite, record) ||
          carriesUnacknowledgedWriteOnlyValue(lateWrite, record),
      )
  })

/**
 * True if the request contains a write-only value, and its field was not acknowledged after the request was given up. No read
 * can show whether the value takes effect.
 */
const carriesUnacknowledgedWriteOnlyValue = (
  { settings, sealed, newest, acknowledged = [] }: LateWrite,
  record: WebsiteRecord | null,
): boolean =>
  (sealed !== null && newest === null) ||
  settingNames.some(
    (name) => settings[name] !== undefined && record?.[name] === undefined && !acknowledged.includes(name),
  )

/** True for an update that would change the record if it took effect now. */
const wouldChangeRecord = ({ kind, settings, sealed }: LateWrite, record: WebsiteRecord | null): boolean =>
  kind === 'update' &&
  (differingFields(settings, record ?? {}).length > 0 || (sealed !== null && record?.password === false))

/** True if an update contains another value than the website should have now, or an older password of ours. */
const differsFromAcknowledged = (lateWrite: LateWrite): boolean =>
  lateWrite.kind === 'update' &&
  (carriesOldPassword(lateWrite) || settingNames.some((name) => carriesOtherThanExpected(lateWrite, name)))
