import { startKeyring } from '../../scripts/with-keyring.mjs'
import { runChain } from './kill-chain.ts'
import type { Program } from './life.ts'
import { runPower } from './power/power-cuts.ts'
import type { Step, Weakness } from './protocol.ts'
import type { Leak } from './secrets.ts'
import type { Finding } from './verdict.ts'

export interface Job {
  program: Program
  recorder: string
  at: Step | 'random' | 'power'
  seed: number
  /** Number of kills or power cuts. */
  count: number
  weakness: Weakness | null
}

export interface Done {
  /** Number of kills or power cuts that took place. */
  count: number
  /** Number of acknowledged edits. */
  taken: number
  /** Number of times that the user was asked whether a website is theirs. */
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
  // A quarter of the stories have many more edits than the others.
  const commands = seed % 4 === 0 ? 160 : 30
  const { cuts, ...story } = await runPower({ program, recorder, seed, cuts: count, commands, weakness })
  return { count: cuts, ...story }
}
