import type { AccountView } from '../../../src/shared/account.ts'
import type { AccountState } from '../../../src/shared/account-state.ts'
import type { BulkChange } from '../../../src/shared/bulk-change.ts'
import { rejectsAll, type ConnectionView } from '../../../src/shared/connection.ts'
import type { Conflict, EditView, HistoryEntry } from '../../../src/shared/edit.ts'
import type { AppState } from '../../../src/shared/state.ts'
import type { WebsiteDraft, WebsiteView } from '../../../src/shared/website.ts'

export const aConnection = (change: Partial<ConnectionView> = {}): ConnectionView => ({
  id: 'northwind',
  address: 'https://stats.northwind.example',
  name: 'Northwind Agency',
  sample: false,
  key: 'stored',
  insecure: false,
  ...change,
})

const anAccount = (change: Partial<AccountState> = {}): AccountState => ({
  ...aConnection(),
  running: true,
  problem: null,
  offline: false,
  rejected: false,
  waiting: 0,
  parked: 0,
  sending: false,
  unconfirmed: false,
  mismatches: 0,
  readOnly: false,
  restored: false,
  ...change,
})

/** Returns a state of the app. `others`: the accounts besides the active one, with the ids `other-0`, `other-1` and so on. */
export function anAppState({
  others = [],
  ...change
}: Partial<AppState> & { others?: Partial<AccountState>[] } = {}): AppState {
  const state = { ...plainState, ...change }
  const beside = others.map((each, n) => anAccount({ id: `other-${String(n)}`, ...each }))
  return { ...state, accounts: change.accounts ?? [...activeAccount(state), ...beside] }
}

/** Returns the account of the active connection, or of one that couldn't be opened. Empty if there is none. */
export function activeAccount(state: AppState): AccountState[] {
  const { connection, problem, reach, waiting, parked, delivery, unconfirmed, mismatches, readOnly, salvaged } = state
  if (connection === null) return problem === null ? [] : [anAccount({ running: false, problem })]
  const restored = salvaged?.of === 'connection'
  const [offline, sending] = [reach.state === 'offline', delivery !== null]
  const counts = { waiting, parked, unconfirmed, mismatches, readOnly }
  const rejected = rejectsAll(reach)
  return [anAccount({ ...connection, problem, offline, rejected, sending, restored, ...counts })]
}

const plainState: AppState = {
  connection: aConnection(),
  problem: null,
  accounts: [],
  reach: { state: 'online' },
  keychain: 'ready',
  mishap: null,
  update: null,
  language: { shown: 'en', system: 'en', formats: 'en' },
  paused: false,
  waiting: 0,
  parked: 0,
  unconfirmed: false,
  websites: 0,
  delivery: null,
  bulkChange: null,
  lastOrder: new Date(2026, 10, 12, 14, 5).getTime(),
  mismatches: 0,
  remoteChanges: 0,
  readOnly: false,
  salvaged: null,
  refresh: {
    running: false,
    ended: 0,
    read: 0,
    total: null,
    seenAt: new Date(2026, 10, 12, 14, 1).getTime(),
    error: null,
  },
}

/** A website with the fields that most hosts return: without `exclude_params`, and without the text of its password. */
export const aWebsite = (change: Partial<WebsiteView> = {}): WebsiteView => ({
  key: 'w1',
  id: '1',
  domain: 'kestrel-press.example',
  privacy: 1,
  email: false,
  password: false,
  exclude_bots: true,
  exclude_ips: [],
  created_at: '2026-11-12T09:14:00Z',
  extra: {},
  state: 'synced',
  pending: [],
  ...change,
})

const names = [
  'harbour-bakery',
  'fjordline-tickets',
  'lumen-dental',
  'moss-and-stone',
  'quiet-cycles',
  'riverbend-yoga',
]

/** Returns `n` websites with different settings, newest first, as the service lists them. */
export const websites = (n: number): WebsiteView[] =>
  Array.from({ length: n }, (_, i) => {
    const name = names[i % names.length] ?? 'site'
    return aWebsite({
      key: `w${i + 1}`,
      id: String(n - i),
      domain: i < names.length ? `${name}.example` : `${name}-${i}.example`,
      privacy: (i % 3) as 0 | 1 | 2,
      password: i % 3 === 2,
      email: i % 2 === 0,
      created_at: new Date(Date.UTC(2026, 10, 12) - i * 86_400_000).toISOString(),
    })
  })

export const anEdit = (change: Partial<EditView> = {}): EditView => ({
  id: 'e1',
  website: 'w1',
  domain: 'fjordline-tickets.example',
  kind: 'update',
  state: 'held',
  reason: 'connection',
  error: null,
  settings: { privacy: 2, exclude_ips: ['203.0.113.7', '198.51.100.0/24'] },
  fields: ['privacy', 'password', 'exclude_ips'],
  password: true,
  request: {
    method: 'PUT',
    path: '/api/v1/websites/2177',
    form: [
      ['privacy', '2'],
      ['password', '••••••••'],
      ['exclude_ips', '203.0.113.7\n198.51.100.0/24'],
    ],
  },
  changedAt: new Date(2026, 10, 12, 14, 5).getTime(),
  nextAt: null,
  conflict: null,
  theirsAt: null,
  ways: [],
  needsPassword: false,
  can: { undo: true, discard: false, sendNow: true },
  ...change,
})

/**
 * A conflict about the privacy and `exclude_ips`. Only the remote website has other email reports, and only the edit has a
 * password. The service doesn't show `exclude_params`.
 */
export const aConflict = (change: Partial<Conflict> = {}): Conflict => ({
  base: { privacy: 1, email: false, exclude_ips: ['203.0.113.7', '198.51.100.0/24'] },
  theirs: { privacy: 0, email: true, exclude_ips: [] },
  mine: {
    privacy: 2,
    password: true,
    email: false,
    exclude_ips: ['203.0.113.7', '198.51.100.0/24', '2001:db8::/48'],
  },
  units: [
    { unit: 'privacy', choices: ['mine', 'theirs'], both: null },
    { unit: 'exclude_ips', choices: ['mine', 'theirs', 'both'], both: ['2001:db8::/48'] },
  ],
  ...change,
})

/** An edit that is parked because of {@link aConflict}. */
export const aParked = (change: Partial<EditView> = {}): EditView =>
  anEdit({
    id: 'p1',
    domain: 'kestrel-press.example',
    state: 'parked',
    reason: 'conflict',
    conflict: aConflict(),
    theirsAt: new Date(2026, 10, 12, 13, 58).getTime(),
    ways: ['units'],
    can: { undo: false, discard: true, sendNow: false },
    ...change,
  })

/** The time of an edit that is queued while a test runs, later than anything before. */
export const LATER = new Date(2100, 0, 1).getTime()

export const aBulkChange = (counts: Partial<BulkChange> = {}): BulkChange => ({
  id: 'batch',
  kind: 'update',
  at: new Date(2026, 10, 12, 13, 5).getTime(),
  order: new Date(2026, 10, 12, 13, 5).getTime(),
  websites: 50,
  sent: 0,
  waiting: 0,
  parked: 0,
  notSent: 0,
  canUndo: false,
  left: null,
  ...counts,
})

export const aHistoryEntry = (change: Partial<HistoryEntry> = {}): HistoryEntry => ({
  id: 'h1',
  website: 'w1',
  domain: 'moss-and-stone.example',
  kind: 'update',
  became: 'sent',
  settings: { privacy: 0 },
  password: false,
  before: { privacy: 1 },
  overwritten: {},
  ignored: {},
  at: new Date(2026, 10, 12, 13, 40).getTime(),
  can: { undo: true, putBack: false },
  lost: [],
  ...change,
})

export const anAccountView = (change: Partial<AccountView['account']> = {}): AccountView => ({
  account: {
    id: '7',
    name: 'Northwind Agency',
    email: 'ada@northwind.example',
    locale: 'en',
    timezone: 'Europe/Oslo',
    created_at: '2024-03-01T08:00:00Z',
    plan: { id: '2', name: 'Agency', features: { websites: 500, api: true, email_reports: false }, extra: {} },
    extra: {},
    ...change,
  },
  seenAt: new Date(2026, 10, 12, 14, 1).getTime(),
})

export function created(draft: WebsiteDraft, n: number): WebsiteView {
  const website = aWebsite({
    ...draft,
    password: draft.password !== undefined,
    key: `new-${n}`,
    id: null,
    state: 'new',
  })
  delete website.created_at
  return website
}
