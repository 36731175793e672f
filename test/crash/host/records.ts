import { wall } from '../clock.ts'

/** A website as the host stores it. Its password is in plain text, unlike a real host's, so that tests can compare it. */
export interface HostRecord {
  id: number
  domain: string
  privacy: number
  password: string | null
  email: number
  exclude_bots: number
  exclude_ips: string | null
  exclude_params: string | null
  created_at: string
  updated_at: string
}

export interface Applied {
  /** Nanoseconds of CLOCK_MONOTONIC. */
  at: bigint
  method: string
  form: Record<string, string>
  before: HostRecord | null
  after: HostRecord | null
}

export interface Records {
  all(): HostRecord[]
  get(id: number): HostRecord | undefined
  applied(): readonly Applied[]
  /** Creates a website even if the domain exists. A create that was sent twice then shows as two records. */
  create(form: URLSearchParams): HostRecord
  update(id: number, form: URLSearchParams): HostRecord | undefined
  delete(id: number): boolean
  /** Returns the records at an earlier time. `time`: nanoseconds of CLOCK_MONOTONIC. */
  at(time: bigint): Records
}

/** Returns the current time, but at least a millisecond after `than`. */
const later = (than: string): string => new Date(Math.max(wall(), Date.parse(than) + 1)).toISOString()

/** Returns websites whose domains begin with `name`. If each account has its own name, an entry in the wrong account is found. */
export function seeded(count: number, name = 'website'): Records {
  const created_at = '2024-05-06T07:08:09.000Z'
  const websites = Array.from({ length: count }, (_, index) => ({
    ...blank(index + 1, `${name}-${String(index + 1)}.example`, created_at),
    exclude_ips: '192.0.2.1',
  }))
  return records(websites, [])
}

const blank = (id: number, domain: string, at: string): HostRecord => ({
  id,
  domain,
  privacy: 1,
  password: null,
  email: 0,
  exclude_bots: 1,
  exclude_ips: null,
  exclude_params: null,
  created_at: at,
  updated_at: at,
})

function records(seed: readonly HostRecord[], log: readonly Applied[]): Records {
  const byId = new Map(seed.map((record) => [record.id, record]))
  const applied = [...log]
  let newest = seed.length
  for (const { before, after } of log) {
    if (after !== null) byId.set(after.id, after)
    else if (before !== null) byId.delete(before.id)
    newest = Math.max(newest, after?.id ?? 0)
  }

  function note(method: string, form: URLSearchParams, before: HostRecord | null, after: HostRecord | null): void {
    applied.push({ at: process.hrtime.bigint(), method, form: Object.fromEntries(form), before, after })
  }

  return {
    all: () => [...byId.values()].sort((a, b) => a.id - b.id),
    get: (id) => byId.get(id),
    applied: () => applied,
    create(form) {
      const record = changed(blank(++newest, form.get('domain') ?? '', new Date(wall()).toISOString()), form)
      byId.set(record.id, record)
      note('POST', form, null, record)
      return record
    },
    update(id, form) {
      const before = byId.get(id)
      if (before === undefined) return undefined
      const record = { ...changed(before, form), updated_at: later(before.updated_at) }
      byId.set(id, record)
      note('PUT', form, before, record)
      return record
    },
    delete(id) {
      const before = byId.get(id)
      byId.delete(id)
      if (before !== undefined) note('DELETE', new URLSearchParams(), before, null)
      return before !== undefined
    },
    at: (time) =>
      records(
        seed,
        applied.filter(({ at }) => at <= time),
      ),
  }
}

function changed(record: HostRecord, form: URLSearchParams): HostRecord {
  const number = (name: 'privacy' | 'email' | 'exclude_bots') => Number(form.get(name) ?? record[name])
  const text = (name: 'password' | 'exclude_ips' | 'exclude_params') =>
    form.has(name) ? form.get(name) || null : record[name]
  return {
    ...record,
    privacy: number('privacy'),
    email: number('email'),
    exclude_bots: number('exclude_bots'),
    password: text('password'),
    exclude_ips: text('exclude_ips'),
    exclude_params: text('exclude_params'),
  }
}
