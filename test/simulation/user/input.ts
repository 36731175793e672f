import {
  settingNames,
  type SettingName,
  type WebsiteDraft,
  type WebsiteSettings,
  type WebsiteView,
} from '../../../src/shared/website.ts'
import type { Seeded } from '../machine/random.ts'
import { isSwitch } from '../service/records.ts'
import { newIp, newParam } from '../service/remote-fields.ts'
import type { Changes } from '../ledger/intent.ts'

/** Returns a different password each time, so that a leak shows which password it is. */
export type NewPassword = () => string

export function newDraft(domain: string, random: Seeded, newPassword: NewPassword): WebsiteDraft {
  const privacy = random.pick([0, 1, 1, 2] as const)
  return {
    domain,
    privacy,
    email: random.chance(0.3),
    exclude_bots: random.chance(0.7),
    exclude_ips: random.chance(0.3) ? [newIp(random)] : [],
    exclude_params: random.chance(0.3) ? [newParam(random)] : [],
    ...(privacy === 2 && { password: newPassword() }),
  }
}

export function newChanges(website: WebsiteView, random: Seeded, newPassword: NewPassword): Changes {
  const changes: Changes = {}
  const names = Array.from({ length: 1 + random.below(3) }, () => random.pick<SettingName>(settingNames))
  for (const name of names) change(changes, name, website, random, newPassword)
  return changes
}

/** Returns the values that were shown when the user typed and have changed since. */
export const overtaken = (changes: Changes, opened: WebsiteView, now: WebsiteView): Partial<WebsiteSettings> =>
  Object.fromEntries(
    settingNames
      .filter((name) => changes[name] !== undefined && opened[name] !== undefined)
      .filter((name) => JSON.stringify(opened[name]) !== JSON.stringify(now[name]))
      .map((name) => [name, opened[name]]),
  )

/** Draws a new value of one setting, and adds it to `changes`; with a privacy that needs a password, also the password. */
function change(
  changes: Changes,
  name: SettingName,
  website: WebsiteView,
  random: Seeded,
  newPassword: NewPassword,
): void {
  if (name === 'privacy') {
    changes.privacy = random.pick(([0, 1, 2] as const).filter((value) => value === 2 || value !== website.privacy))
    if (changes.privacy === 2) changes.password = newPassword()
    else delete changes.password
  } else if (isSwitch(name)) {
    changes[name] = website[name] === undefined ? random.chance(0.5) : !website[name]
  } else {
    changes[name] = newLines(website[name] ?? [], name, random)
  }
}

function newLines(lines: readonly string[], name: keyof WebsiteSettings, random: Seeded): string[] {
  if (lines.length > 0 && random.chance(0.1)) return []
  const left = lines.length > 0 && random.chance(0.3) ? lines.filter((line) => line !== random.pick(lines)) : [...lines]
  return random.chance(0.8) ? [...left, name === 'exclude_ips' ? newIp(random) : newParam(random)] : left
}
