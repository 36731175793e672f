import type { HostRecord } from './host/records.ts'
import { isUsable, type Ledger } from './ledger.ts'
import type { Command } from './protocol.ts'
import type { Dice } from './random.ts'

export interface PlanOptions {
  count: number
  /** The first edit has the next number. The accounts use different numbers, so that an edit in the wrong account is found. */
  after?: number
  /** Maximum pause before each edit, in milliseconds. */
  pause: number
  /** The start of every password. The tests search files for it. */
  canary: string
}

/** Draws the user's next edits at random. They depend on the answers so far. */
export function plan(dice: Dice, ledger: Ledger, seeds: readonly HostRecord[], options: PlanOptions): Command[] {
  const { count, pause, canary, after: start = 0 } = options
  const domains = new Set([
    ...seeds.map(({ domain }) => domain),
    ...ledger.entries().map(({ command }) => command.domain),
  ])
  const usable = [...domains].filter((domain) => isUsable(seeds, ledger, domain))
  let last = ledger.entries().reduce((most, { command }) => Math.max(most, command.n), start)
  const commands: Command[] = []

  for (let made = 0; made < count; made++) {
    const n = ++last
    const after = dice.chance(0.4) ? 0 : dice.below(pause + 1)
    const secret = `${canary}-${String(n)}`
    const roll = dice.fraction()
    if (usable.length < 3 || roll < 0.2) {
      const domain = `new-${String(n)}.example`
      commands.push({ n, kind: 'create', domain, after, ...(dice.chance(0.3) && { password: secret }) })
      usable.push(domain)
    } else if (roll < 0.28) {
      const domain = dice.pick(usable)
      commands.push({ n, kind: 'delete', domain, after })
      usable.splice(usable.indexOf(domain), 1)
    } else if (roll < 0.36) {
      commands.push({ n, kind: 'update', domain: dice.pick(usable), after, password: secret, secretOnly: true })
    } else {
      const more = {
        ...(dice.chance(0.3) && { email: dice.chance(0.5) }),
        ...(dice.chance(0.2) && { params: [`utm_${String(n)}`] }),
        ...(dice.chance(0.15) && { password: secret }),
      }
      commands.push({ n, kind: 'update', domain: dice.pick(usable), after, ...more })
    }
  }
  return commands
}
