/** The messages between the test and the process that it kills: orders by stdin once, JSON lines by stdout. */

/** The steps at which a process is killed, in the order in which an edit reaches them. */
export const steps = [
  'enqueue-uncommitted', // the edit is written, and its transaction isn't committed
  'enqueue-committed', // it is on disk, and the user isn't told yet
  'enqueue-told', // the user is told
  'sending-uncommitted',
  'sending-committed', // it is marked as sending on disk; no connection yet
  'before-first-byte', // connected; no byte is sent yet
  'head-arrived', // the service has the head of the request and may get the rest
  'arrived', // the service has the whole request and does not apply it
  'carried-out', // the service has applied the request and not answered
  'half-answered',
  'answered', // every byte of the answer is sent
  'answer-begun', // the process has the head of the answer
  'answer-read', // the process has the whole answer
  'acknowledge-uncommitted',
  'acknowledge-committed',
  'settling', // after a kill at "carried-out", the next process reads the outcome
  'settled-uncommitted', // it is about to store what it read
  'settled-committed',
] as const
export type Step = (typeof steps)[number]

/** The steps that the process itself reaches; the service reports the others. */
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
 * An action of the user. Each create and update adds its own line to `exclude_ips`, which identifies it to the end.
 * `secretOnly`: only a new password, which the service doesn't show.
 */
export interface Command {
  /** Number of the action. The accounts count from different numbers, so that no two actions have the same one. */
  n: number
  kind: 'create' | 'update' | 'delete'
  domain: string
  email?: boolean
  password?: string
  params?: string[]
  secretOnly?: boolean
  /** Milliseconds before the action. */
  after: number
}

/** Returns the line that an action adds. */
export const lineOf = (n: number): string => `10.${String(n >> 16)}.${String((n >> 8) & 255)}.${String(n & 255)}`
/** Returns the number of the action that added a line. */
export const numberOf = (line: string): number => {
  const [, a = 0, b = 0, c = 0] = line.split('.').map(Number)
  return (a << 16) | (b << 8) | c
}

/** Deliberate bugs, which the tests must notice. */
export const weaknesses = [
  'told-early', // an edit is acknowledged before it is on disk
  'sending-late', // an edit is sent before it is marked as sending on disk
  'sync-off', // commits are not synced
  'sync-normal', // only some commits are synced
  'password-in-clear', // passwords are not sealed
] as const
export type Weakness = (typeof weaknesses)[number]

/** One account of the process, and what its user does. */
export interface AccountOrders {
  /** Id of the connection, which names its file and its keychain entries. */
  connection: string
  address: string
  key: string
  commands: readonly Command[]
}

export interface Orders {
  folder: string
  accounts: readonly AccountOrders[]
  /** Ends in order once nothing is pending; otherwise the process keeps running. */
  closes: boolean
  /** The step at which the process kills itself, when it reaches the step for the `nth` time. */
  kill: { step: Step; nth: number } | null
  weakness: Weakness | null
}

/** A message of the process, with the time in nanoseconds of CLOCK_MONOTONIC. */
export type Line =
  /** The process has opened its accounts, or has closed them in order. */
  | { at: string; says: 'open' | 'closed' }
  /**
   * The user gives the command `n` (`try`), and the outbox has acknowledged it as an edit (`ok`). `account`: the position of the
   * account in the orders.
   */
  | { at: string; says: 'try' | 'ok'; account: number; n: number }
  /** The outbox has refused the command `n`. */
  | { at: string; says: 'no'; account: number; n: number; code: string }
  /**
   * All commands are given, and only parked edits are left. `adopted`: how often the user was asked whether a website is
   * theirs. `activity`: the domains in the activity of each account, in the order of the accounts.
   */
  | { at: string; says: 'idle'; parked: Parked[]; adopted: number; activity: string[][] }

/** A parked edit. */
export interface Parked {
  account: number
  domain: string
  kind: string
  reason: string
  error: string
}
