/** The messages between a test and the process that it kills: orders once by stdin, and JSON lines by stdout. */

/** The steps at which a process is killed, in the order in which an edit reaches them. */
export const steps = [
  'enqueue-uncommitted', // the edit is written, but its transaction is not committed
  'enqueue-committed', // the edit is on disk, but not acknowledged to the user
  'enqueue-told', // the edit is acknowledged to the user
  'sending-uncommitted',
  'sending-committed', // the edit is marked as sending on disk, before there is a connection
  'before-first-byte', // the connection is open, but no byte is sent
  'head-arrived', // the service has the head of the request, and may get its body too
  'arrived', // the service has the whole request, but does not apply it
  'carried-out', // the service has applied the request, but not answered
  'half-answered',
  'answered', // every byte of the answer is sent
  'answer-begun', // the process has the head of the answer
  'answer-read', // the process has the whole answer
  'acknowledge-uncommitted',
  'acknowledge-committed',
  'settling', // after a kill at `carried-out`, the next process reads whether the edit was applied
  'settled-uncommitted', // the result of that read is written, but its transaction is not committed
  'settled-committed',
] as const
export type Step = (typeof steps)[number]

/** The steps that the process itself reports. The host reports the others. */
export const ownSteps: ReadonlySet<Step> = new Set<Step>([
  'enqueue-uncommitted',
  'enqueue-committed',
  'enqueue-told',
  'sending-uncommitted',
  'sending-committed',
  'before-first-byte',
  'answer-begun',
  'answer-read',
  'acknowledge-uncommitted',
  'acknowledge-committed',
  'settled-uncommitted',
  'settled-committed',
])

/**
 * An action of the user. Each create and update adds its own line to `exclude_ips`, by which the test finds it in the end.
 * `secretOnly`: changes only the password, which the service doesn't show.
 */
export interface Command {
  /** Unique among all accounts. */
  n: number
  kind: 'create' | 'update' | 'delete'
  domain: string
  email?: boolean
  password?: string
  params?: string[]
  secretOnly?: boolean
  /** Pause before the action, in milliseconds. */
  after: number
}

/** Returns the line of `exclude_ips` that an action adds. */
export const lineOf = (n: number): string => `10.${String(n >> 16)}.${String((n >> 8) & 255)}.${String(n & 255)}`
/** The inverse of {@link lineOf}. */
export const numberOf = (line: string): number => {
  const [, a = 0, b = 0, c = 0] = line.split('.').map(Number)
  return (a << 16) | (b << 8) | c
}

/** Bugs that can be switched on. The tests must notice them. */
export const weaknesses = [
  'told-early', // an edit is acknowledged before it is on disk
  'sending-late', // an edit is sent before it is marked as sending on disk
  'sync-off', // commits are not synced
  'sync-normal', // only some commits are synced
  'password-in-clear', // passwords are not sealed
] as const
export type Weakness = (typeof weaknesses)[number]

export interface AccountOrders {
  /** Id of the connection. It names the connection's file and keychain entries. */
  connection: string
  address: string
  key: string
  commands: readonly Command[]
}

export interface Orders {
  folder: string
  accounts: readonly AccountOrders[]
  /** Closes the app and ends once no edit is pending. Otherwise, the process keeps running. */
  closes: boolean
  /** The process kills itself when it reaches this step for the `nth` time. */
  kill: { step: Step; nth: number } | null
  weakness: Weakness | null
}

/** A message of the process. `at`: nanoseconds of CLOCK_MONOTONIC. */
export type Line =
  /** All accounts were opened, or all were closed. */
  | { at: string; says: 'open' | 'closed' }
  /** The user gives the command (`try`), or the outbox has acknowledged it (`ok`). `account`: its position in the orders. */
  | { at: string; says: 'try' | 'ok'; account: number; n: number }
  /** The outbox has refused the command `n`. */
  | { at: string; says: 'no'; account: number; n: number; code: string }
  /**
   * All commands were given, and only parked edits are pending.
   * `adopted`: how often the user was asked whether a website is theirs.
   * `activity`: the domains in the activity of each account.
   */
  | { at: string; says: 'idle'; parked: Parked[]; adopted: number; activity: string[][] }

export interface Parked {
  account: number
  domain: string
  kind: string
  reason: string
  error: string
}
