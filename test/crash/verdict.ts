import type { Applied, HostRecord, Records } from './host/records.ts'
import type { Entry, Ledger } from './ledger.ts'
import { numberOf, type Parked, type Command } from './protocol.ts'

/**
 * A mistake at the end of a story, when no edit is pending.
 * `lost`: an acknowledged edit was neither applied nor reported.
 * `doubled`: an edit was applied more than once.
 * `wrong`: edits are out of order, or no command requested the value.
 * `asked`: the user was asked about another client, but there is none.
 */
export interface Finding {
  kind: 'lost' | 'doubled' | 'wrong' | 'asked'
  domain: string
  why: string
}

/** Compares the acknowledged edits with the service's records and writes. `seeds`: the records before the first edit. */
export function judge(
  ledger: Ledger,
  records: Records,
  seeds: readonly HostRecord[],
  parked: readonly Parked[],
  activity: readonly string[] = [],
): Finding[] {
  const domains = new Set([
    ...ledger.entries().map(({ command }) => command.domain),
    ...records.all().map((r) => r.domain),
  ])
  const found: Finding[] = parked.map(({ domain, kind, reason, error }) => ({
    kind: 'asked',
    domain,
    why: `${kind}: ${reason} ${error}`,
  }))
  for (const domain of domains) {
    // A parked edit holds all later edits of its website, so that none of them need be applied.
    if (parked.some((edit) => edit.domain === domain)) continue
    const present = records.all().filter((record) => record.domain === domain)
    const isSeed = seeds.some((record) => record.domain === domain)
    found.push(...judgeWebsite(ledger.of(domain), present, isSeed).map((finding) => ({ ...finding, domain })))
  }
  const own = new Set([...domains, ...seeds.map(({ domain }) => domain)])
  for (const domain of activity)
    if (!own.has(domain)) found.push({ kind: 'wrong', domain, why: 'the activity has an entry of another account' })
  for (const applied of records.applied()) found.push(...judgeWrite(applied))
  return found
}

type Found = Omit<Finding, 'domain'>

function judgeWebsite(entries: Entry[], present: HostRecord[], isSeed: boolean): Found[] {
  const [record] = present
  const found: Found[] = []
  if (present.length > 1) found.push({ kind: 'doubled', why: `it's there ${String(present.length)} times` })

  const create = entries.find(({ command }) => command.kind === 'create')
  const removal = entries.find(({ command, status }) => command.kind === 'delete' && status !== 'refused')
  if (create?.status === 'refused') found.push({ kind: 'wrong', why: 'its create was refused' })
  if (record === undefined) {
    const isPromised = isSeed || create?.status === 'taken'
    if (isPromised && removal === undefined) found.push({ kind: 'lost', why: "it isn't there" })
    return found
  }
  if (create === undefined && !isSeed) found.push({ kind: 'wrong', why: 'no command created it' })
  if (removal?.status === 'taken') return [...found, { kind: 'lost', why: 'its delete' }]
  return [...found, ...judgeLines(entries, record), ...judgeValues(entries, record)]
}

/** Finds acknowledged edits whose line in `exclude_ips` is missing, and lines that are doubled, out of order or of no command. */
function judgeLines(entries: Entry[], record: HostRecord): Found[] {
  const found: Found[] = []
  const lines = (record.exclude_ips ?? '').split('\n').filter((line) => line.startsWith('10.'))
  const numbers = lines.map(numberOf)
  const changes = entries.filter(({ command }) => command.kind !== 'delete' && command.secretOnly !== true)
  for (const { command, status, code } of changes) {
    if (status === 'taken' && !numbers.includes(command.n))
      found.push({ kind: 'lost', why: `command ${String(command.n)}` })
    if (status === 'refused') found.push({ kind: 'wrong', why: `command ${String(command.n)} was refused: ${code}` })
  }
  const expected = new Set(changes.map(({ command }) => command.n))
  if (numbers.some((n) => !expected.has(n))) found.push({ kind: 'wrong', why: 'lines that no command added' })
  if (numbers.some((n, index) => index > 0 && n <= (numbers[index - 1] ?? 0))) {
    found.push({
      kind: new Set(numbers).size < numbers.length ? 'doubled' : 'wrong',
      why: `lines ${numbers.join(' ')}`,
    })
  }
  return found
}

/** Finds fields with neither the last acknowledged value nor a later one whose result is unknown. */
function judgeValues(entries: Entry[], record: HostRecord): Found[] {
  type Value = string | number | null
  const judgeValue = (
    name: string,
    is: Value,
    initial: Value,
    valueOf: (command: Command) => Value | undefined,
  ): Found[] => {
    const withValue = entries.filter(({ command, status }) => status !== 'refused' && valueOf(command) !== undefined)
    const lastTaken = withValue.findLastIndex(({ status }) => status === 'taken')
    const allowed = withValue.slice(Math.max(0, lastTaken)).map(({ command }) => valueOf(command))
    if (lastTaken === -1) allowed.push(initial)
    return allowed.includes(is)
      ? []
      : [{ kind: 'lost', why: `${name} of command ${String(withValue[lastTaken]?.command.n)}` }]
  }
  return [
    ...judgeValue('password', record.password, null, ({ password }) => password),
    ...judgeValue('email', record.email, 0, ({ email }) => (email === undefined ? undefined : Number(email))),
    ...judgeValue('exclude_params', record.exclude_params, null, ({ params }) => params?.join('\n')),
  ]
}

/** Finds an update that was sent again after it was applied, although reading the website would have shown this. */
function judgeWrite({ method, form, before, after }: Applied): Finding[] {
  const domain = (after ?? before)?.domain ?? ''
  const lines = form['exclude_ips']
  if (method !== 'PUT' || lines === undefined || lines !== before?.exclude_ips) return []
  return [{ kind: 'doubled', domain, why: `the update to ${String(lines.split('\n').length)} lines` }]
}

/** Judges the account at position `n` of the orders against its own service. Each finding contains `n`. */
export function judgeAccount(
  n: number,
  { promised, seeds }: { promised: Ledger; seeds: readonly HostRecord[] },
  records: Records,
  { parked, activity }: { parked: Parked[]; activity: string[][] },
): Finding[] {
  const ofAccount = parked.filter(({ account }) => account === n)
  return judge(promised, records, seeds, ofAccount, activity[n]).map((finding) => ({
    ...finding,
    domain: `${finding.domain} of account ${String(n + 1)}`,
  }))
}
