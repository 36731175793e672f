import { settingNames, type SettingName } from '../../../src/shared/website.ts'
import type { Entry } from '../entry.ts'
import type { Sent } from '../service/network.ts'
import type { FieldName, Website } from '../service/records.ts'
import type { World } from '../world.ts'
import { isKnownNot } from './late.ts'

/** A touched record is read at most 60 s before its write (sync.md, "Merging"); the answer's own way comes on top. */
const WINDOW = 61_000

export const isOurs = ({ by }: { by: string }): boolean => by.startsWith('client')

export const isOf = ({ ids, domains }: Entry, website: Website): boolean =>
  ids.has(website.id) || ids.has(String(website.number)) || domains.has(website.domain)

/** What the service never shows: nobody can read what is there. */
export const isHidden = ({ service }: World, name: FieldName | SettingName): boolean =>
  name === 'password' || (name === 'exclude_params' && !service.quirks.showsParams)

/** Of what was sent about a website: the version that a read had shown right before; null: there was none within the window. */
export function readBefore({ service, network }: World, website: Website, sent: Sent): number | null {
  const reading = service.readings.findLast(({ by, request, website: of }) => {
    const read = network.sent[request - 1]
    return of === website && by === sent.by && read?.heard === true && (read.endedBefore ?? Infinity) <= sent.n
  })
  if (reading === undefined || sent.at - (network.sent[reading.request - 1]?.endedAt ?? 0) > WINDOW) return null
  return website.versions.indexOf(reading.version)
}

/** The newest version that any read had shown by then; -1: none. */
export function shownBy({ service, network }: World, website: Website, at: number): number {
  const shown = service.readings.filter(({ by, request, website: of }) => {
    const read = network.sent[request - 1]
    return of === website && isOurs({ by }) && read?.heard === true && (read.endedAt ?? Infinity) <= at
  })
  return Math.max(-1, ...shown.map(({ version }) => website.versions.indexOf(version)))
}

/** When the person last had a say about something of a website before a time; null: never. */
export function saidBefore(entries: readonly Entry[], about: SettingName | 'delete', at: number): number | null {
  const said = entries.flatMap((entry) => entry.said.filter((one) => one.about === about || one.about === 'all'))
  const times = said.map((one) => one.at).filter((one) => one <= at)
  return times.length === 0 ? null : Math.max(...times)
}

/**
 * Whether the time of what a read showed tells that somebody else has written since the version that the person had seen.
 * `known`, `read`: indexes of versions.
 */
export function hasMoved(world: World, website: Website, known: number, read: number): boolean {
  const { versions } = website
  const [before, now] = [versions[known], versions[read]]
  if (before === undefined || now === undefined || read <= known || world.service.quirks.times === 'none') return false
  // What is answered with nothing is known from a later read on.
  if (world.service.quirks.emptyAnswers && isOurs(before)) return false
  // Times are told in whole seconds.
  if (Math.floor(before.at / 1000) === Math.floor(now.at / 1000)) return false
  return !versions.slice(known + 1, read + 1).some(isOurs) && !mayBeOurs(world, website, before.at, now.at)
}

/** What we wrote has its time in the place of theirs; of a write in doubt nobody knows whether this is it. */
const mayBeOurs = ({ network }: World, { id, number }: Website, from: number, until: number): boolean =>
  network.sent.some(
    ({ method, path, at, heard, fault }) =>
      method === 'PUT' &&
      [id, String(number)].includes(path.split('/').at(-1) ?? '') &&
      !heard &&
      !isKnownNot(fault) &&
      at >= from &&
      at < until + 1000,
  )

/** The same by what can be read of it: a value is another, and theirs; the same of ours after it is ours. */
export function isChanged(world: World, { versions }: Website, known: number, read: number): boolean {
  const [before, now] = [versions[known], versions[read]]
  if (before === undefined || now === undefined) return false
  const since = versions.slice(known + 1, read + 1)
  return settingNames.some((name) => {
    if (isHidden(world, name) || before.fields[name] === now.fields[name]) return false
    const writer = since.findLast(
      ({ fields, carried, by }, index) =>
        fields[name] !== (since[index - 1] ?? before).fields[name] || (isOurs({ by }) && carried.includes(name)),
    )
    return writer !== undefined && !isOurs(writer)
  })
}
