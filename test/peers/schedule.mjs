import { Seeded, seedOf } from '../simulation/machine/random.ts'

/**
 * One edit of the user. Its value is unique, so that the service's log shows whether, how often and when it was applied.
 *
 * @typedef {{ id: number, kind: 'create', domain: string, field: null, value: null }
 *   | { id: number, kind: 'update', domain: string, field: 'exclude_ips' | 'exclude_params', value: string }
 *   | { id: number, kind: 'delete', domain: string, field: null, value: null }} PeerEdit
 */
/**
 * One step of a schedule. `after`: milliseconds since the previous step.
 *
 * @typedef {{ after: number } & ({ do: 'edit', edit: PeerEdit } | { do: 'offline' | 'online' | 'restart' })} Step
 */

const WEBSITES = 12
const EDITS = 20

export const domains = Array.from({ length: WEBSITES }, (_, n) => `site-${n}.example`)

/** Returns the schedule of a seed. It is the same for every library. */
export function generate(seed) {
  const random = new Seeded(seedOf(seed, 7))
  const editable = new Set(domains)
  const steps = []
  let offline = false
  for (let id = 1; id <= EDITS; id++) {
    if (random.chance(0.12)) {
      offline = !offline
      steps.push({ after: pause(random), do: offline ? 'offline' : 'online' })
    }
    if (random.chance(0.1)) steps.push({ after: pause(random), do: 'restart' })
    steps.push({ after: pause(random), do: 'edit', edit: drawEdit(id, editable, random) })
  }
  return steps
}

function drawEdit(id, editable, random) {
  const kind = editable.size === 0 ? 'create' : random.weighted({ create: 2, update: 14, delete: 1 })
  if (kind === 'create') return { id, kind, domain: `new-${id}.example`, field: null, value: null }
  const domain = random.pick([...editable])
  if (kind === 'delete') {
    editable.delete(domain)
    return { id, kind, domain, field: null, value: null }
  }
  const field = random.pick(['exclude_ips', 'exclude_params'])
  return { id, kind, domain, field, value: field === 'exclude_ips' ? `10.0.0.${id}` : `param${id}` }
}

const pause = (random) => random.pick([0, 200, 2_000, 10_000, 60_000]) * random.fraction()

export const FAULT_RATE = 0.32
