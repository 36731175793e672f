import Database from 'better-sqlite3'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startLife, type Program } from './life.ts'
import type { Line, Orders, Parked } from './protocol.ts'
import type { Finding } from './verdict.ts'

/** Milliseconds after which a process counts as hung: a hundred times the longest time on the slowest machine. */
export const HUNG_AFTER = 60_000

/** The end of a story: the messages of the last process, and the mistakes that were found. */
export interface Finish {
  lines: Line[]
  parked: Parked[]
  /** The domains in the activity of each account. */
  activity: string[][]
  findings: Finding[]
  /** Number of times that the user was asked whether a website is theirs. */
  adopted: number
}

/** Starts the process on the data that the story has left, and lets it close once no edit is pending. */
export async function finish(
  program: Program,
  orders: Omit<Orders, 'closes' | 'kill'>,
  env: NodeJS.ProcessEnv = {},
): Promise<Finish> {
  const life = startLife(program, { ...orders, closes: true, kill: null }, env)
  const timer = setTimeout(() => life.kill(), HUNG_AFTER)
  const idle = await life.says('idle')
  const closed = await life.says('closed')
  const { errors } = await life.ended
  clearTimeout(timer)
  const stuck = `it never got done: ${errors || 'it went on and on'}`
  const findings: Finding[] = closed === null ? [{ kind: 'lost', domain: '', why: stuck }] : []
  return {
    lines: life.lines,
    parked: parkedOf(idle),
    activity: activityOf(idle),
    findings: [...findings, ...damaged(orders.folder)],
    adopted: adoptedOf(life.lines),
  }
}

export const parkedOf = (line: Line | null): Parked[] => (line?.says === 'idle' ? line.parked : [])

export const activityOf = (line: Line | null): string[][] => (line?.says === 'idle' ? line.activity : [])

export const adoptedOf = (lines: readonly Line[]): number =>
  lines.reduce((sum, line) => sum + (line.says === 'idle' ? line.adopted : 0), 0)

function damaged(folder: string): Finding[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const aside = files.filter((file) => /\.(damaged|restor)/.test(file))
  const broken = files.filter((file) => file.endsWith('.db') && !isWhole(join(folder, file)))
  return [...aside, ...broken].map((file) => ({ kind: 'lost', domain: file, why: 'the file is damaged' }))
}

/** True if SQLite finds no damage in the file. Checks a copy in memory, so that the file stays unchanged. */
function isWhole(file: string): boolean {
  try {
    const db = new Database(readFileSync(file), { readonly: true })
    try {
      return db.pragma('integrity_check', { simple: true }) === 'ok'
    } finally {
      db.close()
    }
  } catch {
    return false
  }
}
