const MINUTE = 60_000

/**
 * @typedef {object} Counts
 * @property {number} edits
 * @property {number} lost neither applied nor held. An edit does not count if a later edit of its field, or a delete of its website,
 *   was applied or is held
 * @property {number} silent lost without a report to the user
 * @property {number} falseFailure reported as failed, but applied
 * @property {number} reapplied applied more than once
 * @property {number} misordered applied after a later edit of the same field
 * @property {number} wrong fields and websites that differ from their last edit. Websites with a held edit don't count, nor do edits
 *   that were reported as failed
 * @property {number} held still not sent, hours after the last fault
 * @property {number} prompt applied within a minute, either the edit itself or a later edit of the same field
 */

/**
 * Compares the log of the service with what the library has reported to the user about each edit.
 *
 * @param {{ edits: (import('./schedule.mjs').PeerEdit & { madeAt: number })[], reported: Map<number, 'done' | 'failed'>, held: Set<number>,
 *   service: import('../simulation/service/service.ts').SimulatedService }} found
 * @returns {Counts}
 */
export function judge({ edits, reported, held, service }) {
  const log = new Map(edits.map((edit) => [edit.id, appliedAt(edit, service)]))
  const applied = (edit) => log.get(edit.id) ?? []
  const failed = (edit) => reported.get(edit.id) === 'failed'
  const isSame = (one, other) => one.domain === other.domain && (one.field === other.field || other.kind === 'delete')

  const fares = new Map()
  for (const edit of edits.toReversed()) {
    const later = edits.filter((other) => other.id > edit.id && isSame(edit, other))
    fares.set(edit.id, applied(edit).length > 0 || held.has(edit.id) || later.some((other) => fares.get(other.id)))
  }
  const lost = edits.filter((edit) => !fares.get(edit.id))

  let misordered = 0
  for (const edit of edits) {
    const first = applied(edit)[0]
    if (first === undefined) continue
    const before = edits.some((other) => {
      const at = applied(other)[0]
      return other.id > edit.id && isSame(edit, other) && other.kind === edit.kind && at !== undefined && at < first
    })
    if (before) misordered += 1
  }

  const isPrompt = (edit) =>
    edits.some((other) => {
      const isMeant = other === edit || (other.id > edit.id && isSame(edit, other))
      return isMeant && applied(other).some((at) => at >= edit.madeAt && at <= edit.madeAt + MINUTE)
    })

  return {
    edits: edits.length,
    lost: lost.length,
    silent: lost.filter((edit) => !failed(edit)).length,
    falseFailure: edits.filter((edit) => failed(edit) && applied(edit).length > 0).length,
    reapplied: edits.filter((edit) => applied(edit).length > 1).length,
    misordered,
    wrong: countWrong(edits, failed, held, service),
    held: edits.filter(({ id }) => held.has(id)).length,
    prompt: edits.filter(isPrompt).length,
  }
}

function appliedAt({ kind, domain, field, value }, service) {
  const websites = service.websites.filter((website) => website.domain === domain)
  if (kind === 'create') return websites.map(({ createdAt }) => createdAt)
  if (kind === 'delete') return websites.flatMap(({ deleted }) => (deleted === null ? [] : [deleted.at]))
  return websites.flatMap(({ states }) =>
    states
      .filter(({ carried, fields }) => field !== null && carried.includes(field) && fields[field] === value)
      .map(({ at }) => at),
  )
}

function countWrong(edits, failed, held, service) {
  /** The last edit of each field, without edits that were reported as failed. */
  const last = new Map()
  for (const edit of edits) if (!failed(edit)) last.set(`${edit.domain} ${edit.field ?? ''}`, edit)
  let wrong = 0
  for (const edit of last.values()) {
    if (edits.some(({ id, domain }) => domain === edit.domain && held.has(id))) continue
    const website = service.byDomain(edit.domain)
    if (edit.kind === 'create' && website === undefined) wrong += 1
    if (edit.kind === 'delete' && website !== undefined) wrong += 1
    if (edit.kind !== 'update' || website === undefined) continue
    if (website.states.at(-1)?.fields[edit.field] !== edit.value) wrong += 1
  }
  return wrong
}
