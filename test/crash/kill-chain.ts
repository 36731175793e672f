import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { adoptedOf, finish, HUNG_AFTER } from './finish.ts'
import { startHost, type Host, type Moment } from './host/host.ts'
import { seeded } from './host/records.ts'
import { ledger } from './ledger.ts'
import { startLife, type Life, type Program } from './life.ts'
import { plan } from './plan.ts'
import { ownSteps, type Orders, type Step, type Weakness, type Command } from './protocol.ts'
import { dice, type Dice } from './random.ts'
import { searchFolder, searchFor, type Leak } from './secrets.ts'
import { judgeAccount, type Finding } from './verdict.ts'

export interface ChainOptions {
  program: Program
  seed: number
  /** One process is killed at each of these steps, and then again from the first. `random`: at any time after the start. */
  at: readonly (Step | 'random')[]
  kills: number
  weakness?: Weakness | null
}

export interface ChainResult {
  kills: number
  taken: number
  adopted: number
  findings: Finding[]
  leaks: Leak[]
}

const SEEDS = 6
const ACCOUNTS = 2
/** A process usually has work for this many milliseconds. */
const BUSY_MS = 160

export async function runChain({ program, seed, at, kills, weakness = null }: ChainOptions): Promise<ChainResult> {
  const random = dice(seed)
  const canary = `canary${random.fraction().toString(36).slice(2, 12)}`
  const folder = mkdtempSync(join(tmpdir(), 'siteward-crash-'))
  const data = join(folder, 'data')
  mkdirSync(data)
  const accounts = await Promise.all(Array.from({ length: ACCOUNTS }, (_, n) => openAccount(n, canary)))
  const hosts = accounts.map(({ host }) => host)
  const search = searchFor([canary])
  const findings: Finding[] = []
  const leaks: Leak[] = []
  let adopted = 0

  const ordersOf = (commands: readonly Command[][]) => ({
    folder: data,
    accounts: accounts.map(({ connection, host, key }, n) => ({
      connection,
      address: host.address,
      key,
      commands: commands[n] ?? [],
    })),
    weakness,
  })

  /** Runs one process, and kills it once `until` resolves. Returns true if the intended step was reached. */
  async function live(
    commands: Command[][],
    kill: Orders['kill'],
    until: (life: Life) => Promise<boolean>,
  ): Promise<boolean> {
    const life = startLife(program, { ...ordersOf(commands), closes: false, kill })
    const stuck = setTimeout(() => {
      findings.push({ kind: 'lost', domain: '', why: 'it went on and on' })
      life.kill()
    }, HUNG_AFTER)
    const wasReached = await until(life)
    life.kill()
    const { code, errors } = await life.ended
    clearTimeout(stuck)
    for (const host of hosts) host.onMoment = () => 'go on'
    if (code !== null) findings.push({ kind: 'lost', domain: '', why: `it ended by itself: ${errors}` })
    for (const [n, { promised }] of accounts.entries()) promised.record(commands[n] ?? [], life.lines)
    adopted += adoptedOf(life.lines)
    leaks.push(
      ...searchFolder(data, search),
      ...search('what it says', Buffer.from(JSON.stringify(life.lines) + errors)),
    )
    return wasReached
  }

  const commandsOf = (dice: Dice, count: number): Command[][] =>
    accounts.map(({ promised, seeds }, n) =>
      plan(dice.of(`account ${String(n)}`), promised, seeds, {
        count: n === 0 ? count : dice.below(count),
        after: n * 1_000_000,
        pause: 8,
        canary,
      }),
    )

  /** Kills the process at this step. Returns false if the process was done before it reached the step. */
  function killAt(step: Step, dice: Dice): Promise<boolean> {
    const nth = step.startsWith('settl') ? 1 : 1 + dice.below(3)
    const kill = ownSteps.has(step) ? { step, nth } : null
    return live(commandsOf(dice, 3 + dice.below(5)), kill, (life) => {
      const ended = life.ended.then(() => true)
      const reached = kill === null ? metAt(hosts, life, momentOf(step), nth, dice) : ended
      return Promise.race([reached, ended, life.says('idle').then((idle) => idle === null)])
    })
  }

  const killAnywhere = (dice: Dice): Promise<boolean> =>
    live(commandsOf(dice, 3 + dice.below(8)), null, async (life) => {
      leaks.push(...search('the command line', life.commandLine()))
      // Starts the random time at a message, so that most kills hit a process at work, however long it takes to start.
      if (dice.chance(0.85)) await life.says(dice.chance(0.7) ? 'try' : 'open')
      await wait(dice.fraction() * BUSY_MS)
      return true
    })

  async function killOnce(at: Step | 'random', dice: Dice): Promise<boolean> {
    if (at === 'random') return killAnywhere(dice)
    // These steps need an edit in doubt. A kill at `carried-out` leaves one: it is applied, but not answered.
    if (at.startsWith('settl')) await killAt('carried-out', dice.of('doubt'))
    return killAt(at, dice)
  }

  try {
    let killed = 0
    for (let life = 0; killed < kills && life < kills * 3; life++) {
      const where = at[killed % at.length] ?? 'random'
      if (await killOnce(where, random.of(`life ${String(life)}`))) killed += 1
    }
    const end = await finish(program, ordersOf([]))
    leaks.push(...searchFolder(data, search))
    const taken = accounts.flatMap(({ promised }) => promised.entries().filter(({ status }) => status === 'taken'))
    return {
      kills: killed,
      taken: taken.length,
      adopted: adopted + end.adopted,
      findings: [
        ...findings,
        ...end.findings,
        ...accounts.flatMap((account, n) => judgeAccount(n, account, account.host.records, end)),
      ],
      leaks,
    }
  } finally {
    await Promise.all(hosts.map((host) => host.close()))
    rmSync(folder, { recursive: true, force: true })
  }
}

async function openAccount(n: number, canary: string) {
  const key = `${canary}-key-${String(n)}`
  const host = await startHost(seeded(SEEDS, `website-of-${String(n + 1)}`), key)
  return { connection: randomUUID(), key, host, seeds: host.records.all(), promised: ledger(n) }
}

const momentOf = (step: Step): Moment => {
  if (ownSteps.has(step)) throw new Error(`${step} is not a step that the host reports.`)
  return step as Moment
}

/** Kills the process when a host reaches this moment for the nth time. Then resolves to true. */
function metAt(hosts: readonly Host[], life: Life, moment: Moment, nth: number, dice: Dice): Promise<true> {
  // After the head, the rest of the request may still reach the host, because the process has sent it already.
  const reaction = moment === 'head-arrived' && dice.chance(0.5) ? 'go on' : 'cut off'
  let met = 0
  return new Promise((resolve) => {
    const onMoment = (now: Moment) => {
      if (now !== moment || ++met !== nth) return 'go on'
      life.kill()
      resolve(true)
      return reaction
    }
    for (const host of hosts) host.onMoment = onMoment
  })
}
