import type { Seeded } from '../machine/random.ts'
import { linesOf, type Fields, type Website } from './records.ts'

/** Draws the fields that another client writes to a website, or those of a new one if `website` is null. */
export function remoteFields(random: Seeded, website: Website | null): Partial<Fields> {
  const present = website?.states.at(-1)?.fields
  switch (random.below(5)) {
    case 0:
      return { email: present?.email === 1 ? 0 : 1 }
    case 1:
      return { exclude_bots: present?.exclude_bots === 1 ? 0 : 1 }
    case 2: {
      const privacy = random.pick([0, 1, 2] as const)
      return { privacy, ...(privacy === 2 && { password: `remote-${random.below(1e9)}` }) }
    }
    case 3:
      return { exclude_params: newParam(random) }
    default: {
      const kept = linesOf(present?.exclude_ips ?? null).filter(() => random.chance(0.8))
      const lines = random.chance(0.1) ? [] : [...kept, newIp(random)]
      return { exclude_ips: lines.length === 0 ? null : lines.join('\n') }
    }
  }
}

export const newIp = (random: Seeded): string => `10.${random.below(256)}.${random.below(256)}.${random.below(256)}`
export const newParam = (random: Seeded): string => `p${random.below(1e9).toString(36)}`
