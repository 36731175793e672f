import type { Account } from './account.ts'

/** Whether the plan says that it has no such feature; a host that says nothing of it may well have it. */
export function planLacks({ plan }: Account, feature: string): boolean {
  const told = plan?.features[feature]
  return told === false || told === 0 || told === null
}
