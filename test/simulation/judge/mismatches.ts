import { PRIVACY, settingNames, type SettingName } from '../../../src/shared/website.ts'
import { isKnownNot, isRequestOf, type Sent } from '../service/network.ts'
import { isOurs, isSwitch, linesOf, type FieldName, type RecordState, type Website } from '../service/records.ts'
import type { World } from '../world/world.ts'
import type { Finding } from './fault.ts'
import {
  asksBefore,
  hadRoom,
  hasMoved,
  isChanged,
  isInDoubt,
  isEntryOf,
  readBefore,
  decidedBefore,
  shownBy,
} from './app-knowledge.ts'

/**
 * Finds deletes without a read, and deletes and writes of write-only fields over remote changes that a read had shown
 * (docs/sync.md#reading-before-a-write).
 */
export const judgeUnseen = (world: World): Finding[] =>
  world.service.websites.flatMap((website) => [
    ...judgeDelete(world, website),
    ...website.states.slice(1).flatMap((state) => judgeWriteOnly(world, website, state)),
  ])

function judgeDelete(world: World, website: Website): Finding[] {
  const { deleted, domain } = website
  const sent = deleted === null ? undefined : world.network.sent[deleted.request - 1]
  if (deleted === null || !isOurs(deleted) || sent === undefined) return []
  const read = readBefore(world, website, sent)
  if (read === null) return [{ count: 'wrong', text: `${domain}: request ${sent.n} deleted it, and hadn't read it` }]
  const asked = asksBefore(entriesOf(world, website), sent.at)
  const shown = asked.flatMap((at) => shownBy(world, website, at))
  const isMismatch = (seen: number) => {
    const write = { sent, seen, read }
    return hasMoved(world, website, write) || isChanged(world, website, write)
  }
  if (shown.length === 0 || !shown.every(isMismatch)) return []
  if (asked.some((at) => isAsAnswered(world, website, read, at))) return []
  return [{ count: 'wrong', text: `${domain}: request ${sent.n} deleted it over what others had changed` }]
}

function isAsAnswered(world: World, website: Website, read: number, at: number): boolean {
  const now = website.states[read]
  const shown = settingNames.filter((name) => !world.service.hides(name))
  // If the service shows times, the app knows that the website changed in between.
  if (world.service.quirks.times !== 'none') return false
  return entriesOf(world, website).some(({ seen, decisions }) => {
    const asked = decisions.find((one) => one.about === 'delete' && one.at === at)?.shown
    return shown.every((name) => {
      const before = (seen.get(name) ?? []).filter((one) => one.at <= at)
      // A value that the user has set counts as seen once it is sent, and the value that it replaced counts as seen until then.
      const last = before.filter((one) => one.at === before.at(-1)?.at).map(({ value }) => value)
      const values = asked === undefined ? last : [asked.get(name), ...last]
      return now !== undefined && values.includes(textOf(settingOf(now, name)))
    })
  })
}

const textOf = (value: unknown): string => JSON.stringify(value ?? null)

function settingOf({ fields }: RecordState, name: SettingName) {
  if (name === 'privacy') return fields.privacy
  return isSwitch(name) ? fields[name] === 1 : linesOf(fields[name])
}

/**
 * Finds writes of write-only fields although a read had shown that another client has written since the user decided about the
 * field. A value that is sent again does not count.
 */
function judgeWriteOnly(world: World, website: Website, state: RecordState): Finding[] {
  if (!isOurs(state)) return []
  const sent = world.network.sent[state.request - 1]
  const read = sent === undefined ? null : readBefore(world, website, sent)
  if (sent === undefined || read === null) return []
  const form = new URLSearchParams(sent.body)
  return state.carried.flatMap((name): Finding[] => {
    if (!world.service.hides(name) || isRepeated(world, website, sent.n, [name, form.get(name)])) return []
    if (isSentAgain(world, website, sent.n, name)) return []
    const unit: SettingName = name === 'password' ? 'privacy' : name
    const asked = decidedBefore(entriesOf(world, website), unit, sent.at)
    const shown = asked === null ? [] : shownBy(world, website, asked)
    // A password counts only while the website is protected with it.
    if (name === 'password' && website.states[read]?.fields.privacy !== PRIVACY.password) return []
    if (shown.length === 0 || !shown.every((seen) => hasMoved(world, website, { sent, seen, read }))) return []
    return [{ count: 'wrong', text: `${website.domain}: request ${sent.n} wrote ${name} over what others had changed` }]
  })
}

/** True if an earlier request carried the same value. The app sends the value again if that request is in doubt or late. */
const isRepeated = (
  world: World,
  website: Website,
  n: number,
  [name, value]: readonly [string, string | null],
): boolean => writesOf(world, website, n).some(({ body }) => new URLSearchParams(body).get(name) === value)

/**
 * True if the write before this one is in doubt and carried no other than write-only fields. No read can show its outcome, so it
 * is sent again with the user's later values (docs/sync.md#update-in-doubt). A change of the record's time may come from that write.
 */
function isSentAgain(world: World, website: Website, n: number, name: FieldName): boolean {
  const last = writesOf(world, website, n).findLast((write) => !isRememberedNot(world, write, n))
  if (last?.method !== 'PUT' || !isInDoubt(world, last)) return false
  const carried = [...new URLSearchParams(last.body).keys()] as FieldName[]
  return carried.includes(name) && carried.every((one) => world.service.hides(one))
}

/** True if a request is known not to be applied, and this was stored on disk before request `n`. */
const isRememberedNot = (world: World, sent: Sent, n: number): boolean =>
  isKnownNot(sent) && (hadRoom(world, sent) || world.network.sent[n - 1]?.by === sent.by)

const writesOf = ({ network }: World, website: Website, n: number): Sent[] =>
  network.sent.slice(0, n - 1).filter((sent) => {
    const isCreate = sent.method === 'POST' && new URLSearchParams(sent.body).get('domain') === website.domain
    return isCreate || (!['GET', 'POST'].includes(sent.method) && isRequestOf(website)(sent))
  })

const entriesOf = ({ ledger }: World, website: Website) =>
  [...ledger.entries.values()].filter((entry) => isEntryOf(entry, website))
