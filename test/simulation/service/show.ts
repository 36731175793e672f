import type { Quirks } from './quirks.ts'
import type { RecordState, Website } from './records.ts'

type Shown = Record<string, unknown>

export interface Host {
  quirks: Quirks
  clock: (at: number) => number
}

/** Returns a record as a host with these quirks shows it: whether it has a password, but not the password. */
export function shown(
  { number, id, domain, createdAt }: Website,
  { fields, at }: RecordState,
  { quirks, clock }: Host,
): Shown {
  const time = (of: number) => timeText(clock(of), quirks)
  const times = quirks.times === 'none' ? {} : { created_at: time(createdAt), updated_at: time(at) }
  return {
    id: quirks.ids === 'number' ? number : id,
    domain,
    privacy: quirks.switches === 'text' ? String(fields.privacy) : fields.privacy,
    email: flag(fields.email, quirks),
    password: flag(fields.password === null ? 0 : 1, { ...quirks, switches: 'boolean' }),
    exclude_bots: flag(fields.exclude_bots, quirks),
    exclude_ips: fields.exclude_ips,
    ...(quirks.showsParams && { exclude_params: fields.exclude_params }),
    favorite: 0,
    ...times,
  }
}

function flag(value: 0 | 1, { switches }: Quirks): unknown {
  if (switches === 'boolean') return value === 1
  return switches === 'text' ? String(value) : value
}

function timeText(time: number, { times, zone }: Quirks): string {
  const textOf = (at: number) => new Date(at).toISOString().slice(0, 19)
  return times === 'zoned' ? `${textOf(time)}.000000Z` : textOf(time + zone).replace('T', ' ')
}

export const BEGINNING = Date.parse('2026-03-01T12:00:00Z')

export function account(id: string, { plan }: Quirks): Shown {
  return {
    id: Number(id),
    name: `Account ${id}`,
    email: `${id}@example.com`,
    plan: { id: 1, name: 'Plan', features: { websites: plan, api: 1 } },
  }
}
