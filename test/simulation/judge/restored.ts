import type { Edit } from '../../../src/main/outbox/model/edit.ts'
import { latest, type FieldName, type Website } from '../service/records.ts'
import type { World } from '../world/world.ts'
import type { Finding } from './fault.ts'

/** The edits of the outbox when a backup was made; `at`: virtual time. */
export interface Backup {
  at: number
  edits: readonly Edit[]
}

/** Ids of edits that were applied before the damage, and of those that were merged into an edit that is pending. */
interface Accounted {
  applied: ReadonlySet<string>
  merged: ReadonlySet<string>
}

/**
 * Finds mistakes with edits that came from a backup (docs/decisions/0006-damaged-files.md): an applied edit is sent again,
 * a value that is newer than the backup is overwritten, or an edit disappears.
 */
export const judgeRestored = (world: World, backup: Backup, { applied, merged }: Accounted): Finding[] => [
  ...judgeSentTwice(world, backup, applied),
  ...judgeWebsites(world, backup),
  ...judgeMissing(world, backup, merged),
]

function judgeSentTwice(world: World, { edits }: Backup, applied: ReadonlySet<string>): Finding[] {
  const { app, service, ledger } = world
  const hasDistinctTimes = ({ website: key }: Edit): boolean => {
    const domains = ledger.entries.get(key)?.domains ?? new Set()
    return service.websites
      .filter(({ domain }) => domains.has(domain))
      .every((website) => !isInOneSecond(world, website))
  }
  return edits
    .filter((edit) => applied.has(edit.id) && app.appRun.sent.has(edit.id) && hasDistinctTimes(edit))
    .map(({ id, kind }) => ({ count: 'wrong', text: `restored ${kind} ${id} was sent again` }))
}

/** Finds websites that a restored edit created or deleted, and fields in which one overwrote a value newer than the backup. */
function judgeWebsites(world: World, { at }: Backup): Finding[] {
  const { app, service } = world
  const isSince = ({ by }: { by: string }) => by === app.appRun.name
  const wrong = (website: Website, text: string): Finding => ({ count: 'wrong', text: `${website.domain}: ${text}` })
  return service.websites.flatMap((website) =>
    isInOneSecond(world, website)
      ? []
      : [
          ...(isSince(website.states[0] ?? latest(website)) ? [wrong(website, 'created by a restored edit')] : []),
          ...(website.deleted !== null && isSince(website.deleted)
            ? [wrong(website, 'deleted by a restored edit')]
            : []),
          ...website.states.flatMap((state, n) =>
            n > 0 && isSince(state)
              ? state.carried
                  .filter((name) => replacedSince(website, n, name) > at)
                  .map((name) => wrong(website, `a restored edit overwrote ${name}, which is newer than the backup`))
              : [],
          ),
        ],
  )
}

/** True if a website was written twice within a second; its times, in whole seconds, do not show the second write. */
const isInOneSecond = ({ service }: World, { states }: Website): boolean => {
  const seconds = states.map(({ at }) => Math.floor(service.clock(at) / 1000))
  return seconds.some((second, index) => second === seconds[index - 1])
}

/** Returns when the value that state `n` replaced was written, or 0 if the state replaced none. */
function replacedSince({ states }: Website, n: number, name: FieldName): number {
  const value = states[n - 1]?.fields[name]
  if (value === states[n]?.fields[name]) return 0
  return states.slice(0, n).findLast((_, at) => states[at - 1]?.fields[name] !== value)?.at ?? 0
}

/** Finds edits of the backup that are neither pending, alone or merged into another one, nor in the history. */
function judgeMissing({ app }: World, { edits }: Backup, merged: ReadonlySet<string>): Finding[] {
  const visible = new Set([...[...app.edits(), ...app.history()].map(({ id }) => id), ...merged])
  const gone = edits.filter(({ id }) => !visible.has(id))
  // A restored delete that was undone and proves not to be applied is removed together with the create that undoes the delete.
  // Neither is shown.
  const undone = gone.flatMap(({ id, note }) => {
    const deleted = note?.restores
    return deleted !== undefined && gone.some((other) => other.id === deleted) ? [id, deleted] : []
  })
  return gone
    .filter(({ id }) => !undone.includes(id))
    .map(({ id, kind }) => ({ count: 'silent', text: `restored ${kind} ${id} is gone, and is not shown` }))
}
