/** Runs jobs for prove.ts, one after another, with its own keychain. */
import { startKeyring } from '../../scripts/with-keyring.mjs'
import { runChain } from './kill-chain.ts'
import type { Program } from './life.ts'
import { runPower } from './power/power-cuts.ts'
import type { Step, Weakness } from './protocol.ts'
import type { Leak } from './secrets.ts'
import type { Finding } from './verdict.ts'

export interface Job {
  program: Program
  /** Path of the built recorder.c; not needed for kills. */
  recorder: string
  at: Step | 'random' | 'power'
  seed: number
  /** Number of kills or power cuts. */
  count: number
  weakness: Weakness | null
}

/**
 * The result of a job. `count`: the kills or power cuts that took place; `taken`: the acknowledged edits; `adopted`: how often
 * the user was asked whether a website is theirs.
 */
export interface Done {
  count: number
  taken: number
  adopted: number
  findings: Finding[]
  leaks: Leak[]
}

const keyring = await startKeyring()
Object.assign(process.env, keyring.env)
process.on('message', (job: Job) => {
  void work(job).then((done) => process.send?.(done))
})
process.once('disconnect', () => void keyring.stop().then(() => process.exit()))
process.send?.('ready')

async function work({ program, recorder, at, seed, count, weakness }: Job): Promise<Done> {
  if (at !== 'power') {
    const { kills, ...chain } = await runChain({ program, seed, at: [at], kills: count, weakness })
    return { count: kills, ...chain }
  }
  // A quarter of the stories have many more commits than the others.
  const commands = seed % 4 === 0 ? 160 : 30
  const { cuts, ...story } = await runPower({ program, recorder, seed, cuts: count, commands, weakness })
  return { count: cuts, ...story }
}
