import { isKnownNot, type Sent } from '../service/network.ts'
import { isOurs, linesOf, type FieldName, type Website } from '../service/records.ts'
import type { ListName } from '../ledger/intent.ts'
import type { World } from '../world/world.ts'
import { isInDoubt, isTooEarly, readBefore } from './app-knowledge.ts'

/**
 * True if the field has the value that it had before a request in doubt that carried the field. Either the request was not
 * applied, or another client has set the value back. Both look the same, so the app sends the value again, or the user's later
 * value in its place (docs/sync.md#update-in-doubt).
 *
 * False if a read in between showed another value and the user has not set the field since, or if a line of ours on the service
 * proves that the request was applied.
 *
 * `read`: index of the state that the last read before `sent` showed. `setAt`: when the user last set the field.
 */
export function isAsBeforeDoubt(
  world: World,
  website: Website,
  { sent, read, setAt }: { sent: Sent; read: number; setAt: number },
  name: FieldName,
): boolean {
  const { service, network } = world
  const doubted = network.sent
    .slice(0, sent.n - 1)
    // Skips a request that is known not to be applied, because the request before it counts then.
    .findLast((one) => one.method === 'PUT' && one.path === sent.path && !isKnownNot(one))
  if (doubted === undefined || !isInDoubt(world, doubted)) return false
  const [earlier, form] = [new URLSearchParams(doubted.body), new URLSearchParams(sent.body)]
  if (earlier.get(name) === null) return false
  if (earlier.get(name) !== form.get(name) && !hasLandedWithMismatch(website, { doubted, read }, name)) return false
  const [before, now] = [website.states[readBefore(world, website, doubted) ?? -1], website.states[read]]
  if (before === undefined || now === undefined || before.fields[name] !== now.fields[name]) return false
  const isShownAsMismatch = service.readings.some(({ by, request, website: of, state }) => {
    const one = network.sent[request - 1]
    if (of !== website || !isOurs({ by }) || state.fields[name] === now.fields[name]) return false
    const endedAt = one?.endedAt ?? Infinity
    const isBetween = one?.received === true && one.n > doubted.n && endedAt <= sent.at && endedAt > setAt
    // A read that the app does not trust yet proves nothing (docs/sync.md#refresh-during-replay).
    return isBetween && !isTooEarly(world, website, one, state)
  })
  const hasLine = (list: ListName) => {
    const linesBefore = new Set(linesOf(before.fields[list]))
    const added = linesOf(earlier.get(list)).filter((line) => !linesBefore.has(line))
    return !service.hides(list) && added.some((line) => linesOf(now.fields[list]).includes(line))
  }
  return !isShownAsMismatch && !hasLine('exclude_ips') && !hasLine('exclude_params')
}

/** True if the request in doubt was applied before the state `read`, and that state has another value of the field. */
const hasLandedWithMismatch = (
  { states }: Website,
  { doubted, read }: { doubted: Sent; read: number },
  name: FieldName,
): boolean =>
  states
    .slice(0, read)
    .some(
      ({ request, carried, fields }) =>
        request === doubted.n && carried.includes(name) && fields[name] !== states[read]?.fields[name],
    )
