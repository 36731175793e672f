import type { Sent } from '../service/network.ts'
import { isOurs, linesOf, type FieldName, type Website } from '../service/records.ts'
import type { ListName } from '../ledger/intent.ts'
import type { World } from '../world/world.ts'
import { isInDoubt, readBefore } from './known.ts'

/**
 * What is there is as it was before a request of ours that is in doubt, and that would have made it what this one makes it: it
 * may never have landed, or somebody has set it back since. Everything that was heard is the same in both, so it's sent again
 * (docs/sync.md#update-in-doubt). So is what the user said behind it since, in its place, where it had landed: what it
 * took away itself is held against it. But not where any read has shown it otherwise in between, or a line of our own there
 * tells that the request has landed. `read`: the version that a read has shown right before.
 */
export function isAsBeforeDoubt(
  world: World,
  website: Website,
  { sent, read }: { sent: Sent; read: number },
  name: FieldName,
): boolean {
  const { service, network } = world
  const doubted = network.sent
    .slice(0, sent.n - 1)
    .findLast(({ method, path }) => method === 'PUT' && path === sent.path)
  if (doubted === undefined || !isInDoubt(world, doubted)) return false
  const [earlier, form] = [new URLSearchParams(doubted.body), new URLSearchParams(sent.body)]
  if (earlier.get(name) === null) return false
  if (earlier.get(name) !== form.get(name) && !hasLandedWithMismatch(website, { doubted, read }, name)) return false
  const [before, now] = [website.versions[readBefore(world, website, doubted) ?? -1], website.versions[read]]
  if (before === undefined || now === undefined || before.fields[name] !== now.fields[name]) return false
  const isShownAsMismatch = service.readings.some(({ by, request, website: of, version }) => {
    const one = network.sent[request - 1]
    const isBetween = one?.heard === true && one.n > doubted.n && (one.endedAt ?? Infinity) <= sent.at
    return of === website && isOurs({ by }) && isBetween && version.fields[name] !== now.fields[name]
  })
  const hasLine = (list: ListName) => {
    const known = new Set(linesOf(before.fields[list]))
    const added = linesOf(earlier.get(list)).filter((line) => !known.has(line))
    return !service.hides(list) && added.some((line) => linesOf(now.fields[list]).includes(line))
  }
  return !isShownAsMismatch && !hasLine('exclude_ips') && !hasLine('exclude_params')
}

/** The request had landed before that read, with another value than it shows. */
const hasLandedWithMismatch = (
  { versions }: Website,
  { doubted, read }: { doubted: Sent; read: number },
  name: FieldName,
): boolean =>
  versions
    .slice(0, read)
    .some(
      ({ request, carried, fields }) =>
        request === doubted.n && carried.includes(name) && fields[name] !== versions[read]?.fields[name],
    )
