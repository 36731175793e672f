import type { Applied, HostRecord, Records } from './host/records.ts'
import type { Entry, Ledger } from './ledger.ts'
import { wishOf, type Parked, type Wish } from './protocol.ts'

/**
 * The mistakes at the end, when nothing is pending. `lost`: an acknowledged edit is not applied and not reported;
 * `doubled`: applied more than once; `wrong`: out of order, or a value that nobody requested; `asked`: the user is
 * asked, though no other client ever wrote.
 */
export interface Finding {
  what: 'lost' | 'doubled' | 'wrong' | 'asked'
  domain: string
  why: string
}

/** Compares the acknowledged edits with the service, and with each write that it applied. */
export function judge(
  ledger: Ledger,
  records: Records,
  seeds: readonly HostRecord[],
  parked: readonly Parked[],
): Finding[] {
  const domains = new Set([...ledger.entries().map(({ wish }) => wish.domain), ...records.all().map((r) => r.domain)])
  const found: Finding[] = parked.map(({ domain, kind, reason, error }) => ({
    what: 'asked',
    domain,
    why: `${kind}: ${reason} ${error}`,
  }))
  for (const domain of domains) {
    // A parked edit holds its website with the edits behind it.
    if (parked.some((edit) => edit.domain === domain)) continue
    const there = records.all().filter((record) => record.domain === domain)
    const isSeed = seeds.some((record) => record.domain === domain)
    found.push(...judgeWebsite(ledger.of(domain), there, isSeed).map((finding) => ({ ...finding, domain })))
  }
  for (const applied of records.applied()) found.push(...judgeWrite(applied))
  return found
}

type Found = Omit<Finding, 'domain'>

function judgeWebsite(entries: Entry[], there: HostRecord[], isSeed: boolean): Found[] {
  const [record] = there
  const found: Found[] = []
  if (there.length > 1) found.push({ what: 'doubled', why: `it's there ${String(there.length)} times` })

  const create = entries.find(({ wish }) => wish.what === 'create')
  const removal = entries.find(({ wish, told }) => wish.what === 'delete' && told !== 'refused')
  if (create?.told === 'refused') found.push({ what: 'wrong', why: 'its create was refused' })
  if (record === undefined) {
    const isPromised = isSeed || create?.told === 'taken'
    if (isPromised && removal === undefined) found.push({ what: 'lost', why: "it isn't there" })
    return found
  }
  if (create === undefined && !isSeed) found.push({ what: 'wrong', why: 'nobody wished for it' })
  if (removal?.told === 'taken') return [...found, { what: 'lost', why: 'its delete' }]
  return [...found, ...judgeLines(entries, record), ...judgeValues(entries, record)]
}

/** Each acknowledged edit has added a line: all are there, in order, each once. */
function judgeLines(entries: Entry[], record: HostRecord): Found[] {
  const found: Found[] = []
  const lines = (record.exclude_ips ?? '').split('\n').filter((line) => line.startsWith('10.'))
  const there = lines.map(wishOf)
  const wished = entries.filter(({ wish }) => wish.what !== 'delete' && wish.secretOnly !== true)
  for (const { wish, told, code } of wished) {
    if (told === 'taken' && !there.includes(wish.n)) found.push({ what: 'lost', why: `wish ${String(wish.n)}` })
    if (told === 'refused') found.push({ what: 'wrong', why: `wish ${String(wish.n)} was refused: ${code}` })
  }
  const known = new Set(wished.map(({ wish }) => wish.n))
  if (there.some((n) => !known.has(n))) found.push({ what: 'wrong', why: 'lines that nobody wished for' })
  if (there.some((n, index) => index > 0 && n <= (there[index - 1] ?? 0))) {
    found.push({ what: new Set(there).size < there.length ? 'doubled' : 'wrong', why: `lines ${there.join(' ')}` })
  }
  return found
}

/** Each field has the last acknowledged value, or a later one whose answer is unknown; otherwise its first value. */
function judgeValues(entries: Entry[], record: HostRecord): Found[] {
  type Value = string | number | null
  const judgeValue = (name: string, is: Value, initial: Value, valueOf: (wish: Wish) => Value | undefined): Found[] => {
    const wished = entries.filter(({ wish, told }) => told !== 'refused' && valueOf(wish) !== undefined)
    const lastTaken = wished.findLastIndex(({ told }) => told === 'taken')
    const allowed = wished.slice(Math.max(0, lastTaken)).map(({ wish }) => valueOf(wish))
    if (lastTaken === -1) allowed.push(initial)
    return allowed.includes(is) ? [] : [{ what: 'lost', why: `${name} of wish ${String(wished[lastTaken]?.wish.n)}` }]
  }
  return [
    ...judgeValue('password', record.password, null, ({ password }) => password),
    ...judgeValue('email', record.email, 0, ({ email }) => (email === undefined ? undefined : Number(email))),
    ...judgeValue('exclude_params', record.exclude_params, null, ({ params }) => params?.join('\n')),
  ]
}

/** A write that is sent again after it was applied, although a read would have shown that, is doubled. */
function judgeWrite({ method, form, before, after }: Applied): Finding[] {
  const domain = (after ?? before)?.domain ?? ''
  const lines = form['exclude_ips']
  if (method !== 'PUT' || lines === undefined || lines !== before?.exclude_ips) return []
  return [{ what: 'doubled', domain, why: `the update to ${String(lines.split('\n').length)} lines` }]
}
