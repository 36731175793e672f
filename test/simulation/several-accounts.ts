import type { Disk } from './disk/disk.ts'
import type { Finding } from './judge/fault.ts'
import { finish, startSchedule, type Outcome, type Schedule } from './schedule.ts'
import type { Started } from './start.ts'
import { newMachine } from './world/world.ts'

/**
 * Runs the schedules of several accounts in one process: they share the clock and the keychain, their actions alternate, and a
 * crash ends all of them. Then judges each account against its own service, which finds whatever crosses from one account to
 * another.
 */
export async function runTogether(
  schedules: readonly Schedule[],
  disk: (newKey: () => string) => Disk,
): Promise<Outcome> {
  const machine = newMachine()
  const accounts = schedules.map((schedule, n) => {
    const started = startSchedule(schedule, disk, { ...machine, connection: `account-${String(n + 1)}` })
    return { ...started, actions: schedule.actions }
  })
  try {
    for (const { world } of accounts) await world.pass(0)
    const longest = Math.max(...accounts.map(({ actions }) => actions.length))
    for (let n = 0; n < longest; n++) {
      for (const account of accounts) {
        const action = account.actions[n]
        if (action === undefined) continue
        await together(accounts, () => account.perform(action))
      }
    }
    for (const { calm } of accounts) calm()
    const findings: Finding[] = []
    for (const account of accounts) {
      await together(accounts, async () => findings.push(...named(account, await finish(account))))
    }
    const edits = accounts.reduce((sum, { world }) => sum + world.ledger.acknowledged, 0)
    return { edits, findings, story: '' }
  } finally {
    for (const { end } of accounts) await end()
  }
}

/** Runs a step of one account. If the process has ended in the meantime, it has ended for all accounts, and starts again. */
async function together(accounts: readonly Started[], step: () => Promise<unknown>): Promise<void> {
  const before = accounts.map(({ world }) => world.app)
  await step()
  const hasEnded = accounts.some(({ world }, n) => world.app !== before[n] || !world.app.appRun.alive)
  if (hasEnded) for (const [n, { world }] of accounts.entries()) if (world.app === before[n]) world.app.appRun.end()
  for (const { world } of accounts) await world.pass(0)
  // Lets a millisecond pass, so that each ledger records what the list of its account shows now.
  for (const { world } of accounts) await world.pass(1)
}

const named = ({ world }: Started, findings: readonly Finding[]): Finding[] =>
  findings.map(({ count, text }) => ({ count, text: `${world.connection}: ${text}` }))
