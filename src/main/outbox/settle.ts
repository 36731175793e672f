import { settingNames, type WebsiteRecord } from '../../shared/website.ts'
import { fail, type AppError } from '../../shared/result.ts'
import { meansSame } from './compare.ts'
import type { Edit } from './edit.ts'
import { lookUp } from './lookup.ts'
import type { OutboxPorts, Website } from './ports.ts'
import { again, applied, deleted, park, wait, type Verdict } from './verdict.ts'

type Ports = Pick<OutboxPorts, 'service' | 'connectivity'>

/** Settles an edit in doubt by reading, never by guessing (sync.md, "Failure by failure"). */
export function settle(ports: Ports, edit: Edit, website: Website): Promise<Verdict> {
  if (edit.kind === 'create') return settleCreate(ports, edit, website)
  if (website.id === null) return Promise.resolve(park('gone', null))
  return edit.kind === 'update' ? settleUpdate(ports, edit, website.id) : settleDelete(ports, edit, website.id)
}

async function settleCreate(ports: Ports, edit: Edit, website: Website): Promise<Verdict> {
  const lookup = await lookUp(ports.service, website.domain)
  if (lookup.found === 'unreadable') return unreadable(ports, lookup.error)
  if (lookup.found === 'present') return judgePresent(edit, lookup.website)
  // Accepted, but not in the list yet: sending it again could only double it.
  return edit.sent?.accepted ? wait(doubtOf(edit)) : again(doubtOf(edit))
}

/** A website of the domain is there: ours, somebody else's, or for the person to say. */
export function judgePresent(edit: Edit, there: WebsiteRecord): Verdict {
  if (edit.sent?.accepted) return applied(there)
  if (edit.sent?.before === 'present' || isOlder(there, edit)) return park('domain-taken', null)
  if (edit.sent?.before !== 'absent' || !isAsSent(edit, there)) return park('adopt', null)
  return applied(there)
}

async function settleUpdate(ports: Ports, edit: Edit, id: string): Promise<Verdict> {
  const read = await ports.service.get(id)
  if (read.outcome !== 'applied') {
    if (read.error.code !== 'not-found') return unreadable(ports, read.error)
    return (await ports.connectivity.probe()) ? park('gone', read.error) : wait(read.error)
  }
  const there = read.value
  const readable = settingNames.filter((name) => edit.settings[name] !== undefined && there[name] !== undefined)
  const based = readable.filter((name) => edit.base.settings[name] !== undefined)
  const moved = based.filter((name) => !meansSame(there, edit.base.settings, name))
  if (edit.sent?.accepted || moved.some((name) => meansSame(there, edit.settings, name))) return applied(there)
  // Neither what it was nor what was sent: somebody else changed it meanwhile.
  if (moved.length > 0) return park('conflict', null)
  return again(doubtOf(edit))
}

async function settleDelete(ports: Ports, edit: Edit, id: string): Promise<Verdict> {
  const read = await ports.service.get(id)
  if (read.outcome === 'applied') return again(doubtOf(edit))
  if (read.error.code !== 'not-found') return unreadable(ports, read.error)
  return (await ports.connectivity.probe()) ? deleted : wait(read.error)
}

/** The read failed as well. Where the service can be told to be there, only this edit waits. */
async function unreadable({ connectivity }: Ports, error: Parameters<typeof wait>[0]): Promise<Verdict> {
  if (connectivity.gate().open) await connectivity.probe()
  return wait(error)
}

/** What brought it into doubt, a 500 or a lost answer: a read has shown that it isn't there, and this is why. */
const doubtOf = ({ standing }: Edit): AppError =>
  (standing.state === 'inDoubt' ? standing.error : null) ?? fail('interrupted').error

const isAsSent = (edit: Edit, there: WebsiteRecord): boolean =>
  settingNames.every((name) => there[name] === undefined || meansSame(there, edit.settings, name)) &&
  (there.password === undefined || there.password === (edit.sealed !== null))

/** By the service's own clock it was there before we sent ours; a time without a zone tells nothing. */
export function isOlder(there: WebsiteRecord, { sent }: Pick<Edit, 'sent'>): boolean {
  if (sent?.date == null || !/(?:Z|[+-]\d\d:?\d\d)$/.test(there.created_at ?? '')) return false
  // `Date` counts in whole seconds.
  return Math.floor(Date.parse(there.created_at ?? '') / 1000) < Math.floor(sent.date / 1000)
}
