import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { activityOf, adoptedOf, finish, parkedOf, HUNG_AFTER, type Finish } from '../finish.ts'
import { startHost } from '../host/host.ts'
import { seeded, type Records } from '../host/records.ts'
import { ledger, type Ledger } from '../ledger.ts'
import { startLife, type Program } from '../life.ts'
import { plan } from '../plan.ts'
import type { Weakness, Command } from '../protocol.ts'
import { dice, type Dice } from '../random.ts'
import { searchFolder, searchFor, type Leak } from '../secrets.ts'
import { judgeAccount, type Finding } from '../verdict.ts'
import { Disk, type Image } from './disk.ts'
import { difference, readImage, writeImage } from './image.ts'
import { momentOf, type Run } from './moment.ts'
import { readRecord } from './record.ts'

export interface PowerOptions {
  program: Program
  recorder: string
  seed: number
  cuts: number
  commands: number
  weakness?: Weakness | null
}

export interface PowerResult {
  cuts: number
  taken: number
  adopted: number
  findings: Finding[]
  leaks: Leak[]
}

/** `commands`: one list for each account. */
interface Recorded extends Run {
  before: Image
  commands: readonly Command[][]
}

const SEEDS = 6
const ACCOUNTS = 2

/**
 * Records one run of the process, and cuts the power at many moments of it. After each power cut, starts the process on what the
 * disk may then contain, and with the service as it was then. Sometimes cuts the power again during the recovery.
 */
export async function runPower(options: PowerOptions): Promise<PowerResult> {
  const { program, recorder, seed, commands: count, weakness = null } = options
  const random = dice(seed)
  const canary = `canary${random.fraction().toString(36).slice(2, 12)}`
  const folder = mkdtempSync(join(tmpdir(), 'siteward-power-'))
  const search = searchFor([canary])
  const story: PowerResult = { cuts: 0, taken: 0, adopted: 0, findings: [], leaks: [] }
  // Each account has its own service, which accepts no other key.
  const accounts = Array.from({ length: ACCOUNTS }, (_, n) => {
    const services = seeded(SEEDS, `website-of-${String(n + 1)}`)
    return { connection: randomUUID(), key: `${canary}-key-${String(n)}`, services, seeds: services.all() }
  })
  let places = 0

  /**
   * Runs the process on this image until no edit is pending, and records its disk operations.
   * `commands`: the edits of each account.
   * `isKilled`: kills the process at the end, instead of letting it close.
   */
  async function record(before: Image, records: readonly Records[], commands: Command[][], isKilled: boolean) {
    const place = join(folder, String(++places))
    const file = `${place}.record`
    writeImage(place, before)
    const hosts = await Promise.all(records.map((each, n) => startHost(each, accounts[n]?.key ?? '')))
    try {
      const orders = accounts.map(({ connection, key }, n) => ({
        connection,
        address: hosts[n]?.address ?? '',
        key,
        commands: commands[n] ?? [],
      }))
      const base = { folder: place, accounts: orders, weakness }
      const env = { LD_PRELOAD: recorder, CRASH_FOLDER: place, CRASH_RECORD: file }
      const end = isKilled ? await untilIdle(base, env) : await finish(program, base, env)
      const ops = readRecord(file)
      const disk = new Disk(before, 'ordered')
      for (const op of ops) disk.apply(op)
      const unrecorded = difference(disk.now(), readImage(place))
      if (unrecorded.length > 0) throw new Error(`The record doesn't account for ${unrecorded.join(', ')}.`)
      story.leaks.push(...searchFolder(place, search))
      return { end, recorded: { before, ops, commands, lines: end.lines } satisfies Recorded }
    } finally {
      await Promise.all(hosts.map((host) => host.close()))
      rmSync(place, { recursive: true, force: true })
      rmSync(file, { force: true })
    }
  }

  async function untilIdle(base: Parameters<typeof finish>[1], env: NodeJS.ProcessEnv): Promise<Finish> {
    const life = startLife(program, { ...base, closes: false, kill: null }, env)
    const stuck = setTimeout(() => life.kill(), HUNG_AFTER)
    const idle = await life.says('idle')
    clearTimeout(stuck)
    life.kill()
    const { errors } = await life.ended
    const findings: Finding[] = idle === null ? [{ kind: 'lost', domain: '', why: `it never got done: ${errors}` }] : []
    return {
      lines: life.lines,
      parked: parkedOf(idle),
      activity: activityOf(idle),
      findings,
      adopted: adoptedOf(life.lines),
    }
  }

  /** Cuts the power at a moment of a run, and starts the process on what the disk then contains. */
  async function cut(
    run: Recorded,
    records: readonly Records[],
    promised: readonly Ledger[],
    dice: Dice,
  ): Promise<void> {
    const moment = momentOf(run, dice)
    const disk = new Disk(run.before, moment.names)
    for (const op of run.ops.slice(0, moment.op)) disk.apply(op)
    const image = disk.after(moment.remainder, dice, moment.garbage)
    const servicesAtCut = records.map((each) => each.at(moment.at))
    const ledgersAtCut = promised.map((each) => each.copy())
    for (const [n, each] of ledgersAtCut.entries()) each.record(run.commands[n] ?? [], run.lines, moment.at)
    for (const [path, bytes] of image) story.leaks.push(...search(path, bytes ?? Buffer.alloc(0)))

    const again = await record(image, servicesAtCut, [], dice.chance(0.3))
    story.cuts += 1
    story.adopted += again.end.adopted
    story.taken += ledgersAtCut.flatMap((each) => each.entries()).filter((entry) => entry.status === 'taken').length
    const found = [
      ...again.end.findings,
      ...accounts.flatMap(({ seeds }, n) => {
        const [promised, services] = [ledgersAtCut[n], servicesAtCut[n]]
        return promised && services ? judgeAccount(n, { promised, seeds }, services, again.end) : []
      }),
    ]
    const when = `op ${String(moment.op)} of ${String(run.ops.length)}, ${moment.remainder}, names ${moment.names}`
    story.findings.push(...found.map((finding) => ({ ...finding, why: `${finding.why} (${when})` })))
    if (story.cuts < options.cuts && dice.chance(0.4))
      await cut(again.recorded, servicesAtCut, ledgersAtCut, dice.of('again'))
  }

  try {
    const commands = accounts.map(({ seeds }, n) =>
      plan(random.of(`plan ${String(n)}`), ledger(n), seeds, {
        count: Math.ceil(count / ACCOUNTS),
        after: n * 1_000_000,
        pause: 4,
        canary,
      }),
    )
    const services = accounts.map((account) => account.services)
    const first = await record(new Map(), services, commands, random.chance(0.5))
    while (story.cuts < options.cuts) {
      const promised = accounts.map((_, n) => ledger(n))
      await cut(first.recorded, services, promised, random.of(`cut ${String(story.cuts)}`))
    }
    return story
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
