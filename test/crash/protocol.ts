/** What the test and the process that it kills say to each other: orders by stdin once, lines of JSON by stdout. */

/** The moments at which a process is killed, in the order in which an edit meets them. */
export const steps = [
  'enqueue-uncommitted', // the edit is written, its transaction isn't ended
  'enqueue-committed', // it's on disk, and the person hasn't been told
  'enqueue-told', // the person was told
  'sending-uncommitted',
  'sending-committed', // "sending" is on disk, no connection yet
  'before-first-byte', // connected, and not a byte has left
  'head-arrived', // the service has the head of the request; it may get the rest or not
  'arrived', // it has the whole request and never carries it out
  'carried-out', // it has carried it out and not answered
  'half-answered',
  'answered', // every byte of the answer is on its way
  'answer-begun', // the process has the answer's head
  'answer-read', // and all of it
  'acknowledge-uncommitted',
  'acknowledge-committed',
  'settling', // a process that was killed after "carried-out" reads what came of it
  'settled-uncommitted', // and is about to write down what it read
  'settled-committed',
] as const
export type Step = (typeof steps)[number]

/** Where the process meets a step by itself; the others are the service's to toast. */
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
 * One thing that the person does. Each create and update adds a line of its own to `exclude_ips`, by which it's told apart
 * from all others to the end; `secretOnly`: a new password and nothing that the service would show.
 */
export interface Wish {
  /** Counts the wishes of one story, from 1. */
  n: number
  what: 'create' | 'update' | 'delete'
  domain: string
  email?: boolean
  password?: string
  params?: string[]
  secretOnly?: boolean
  /** Milliseconds before it. */
  after: number
}

/** The line that a wish adds. */
export const lineOf = (n: number): string => `10.${String(n >> 16)}.${String((n >> 8) & 255)}.${String(n & 255)}`
export const wishOf = (line: string): number => {
  const [, a = 0, b = 0, c = 0] = line.split('.').map(Number)
  return (a << 16) | (b << 8) | c
}

/** What is broken on purpose, to see that it's found. */
export const weaknesses = [
  'told-early', // the person is told before the edit is on disk
  'sending-late', // "sending" isn't on disk before the first byte
  'sync-off', // commits aren't synced
  'sync-normal', // commits are synced now and then
  'password-in-clear', // passwords aren't sealed
] as const
export type Weakness = (typeof weaknesses)[number]

export interface Orders {
  folder: string
  /** Id of the connection; by it the keychain knows its secrets. */
  connection: string
  address: string
  key: string
  wishes: readonly Wish[]
  /** Ends in order once nothing waits; otherwise it stays. */
  closes: boolean
  kill: { step: Step; nth: number } | null
  weakness: Weakness | null
}

/**
 * A line of the process, with the time of CLOCK_MONOTONIC in nanoseconds. `ok` is the promise: told after the outbox has
 * answered. `no`: it took nothing, and said so. `idle`: the wishes are done and nothing waits but what is
 * parked; `adopted`: how often the person was asked whether a website was theirs.
 */
export type Line =
  | { at: string; says: 'open' | 'closed' }
  | { at: string; says: 'try' | 'ok'; n: number }
  | { at: string; says: 'no'; n: number; code: string }
  | { at: string; says: 'idle'; parked: Parked[]; adopted: number }

/** An edit that asks for the person. */
export interface Parked {
  domain: string
  kind: string
  reason: string
  error: string
}
