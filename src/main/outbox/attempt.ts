import { fail, ok, type AppError, type Result } from '../../shared/result.ts'
import { settingNames, type WebsiteRecord } from '../../shared/website.ts'
import { meansSame } from './compare.ts'
import { conclude, type Conclusion } from './conclude.ts'
import { isSent, type Edit, type SentNote } from './edit.ts'
import { freeze } from './freeze.ts'
import { keepAsFound, knowingLate } from './late.ts'
import { lookUp } from './lookup.ts'
import type { OutboxPorts, OutboxStore, Website } from './ports.ts'
import { judgeUnread } from './read-first.ts'
import type { Reading } from './reading.ts'
import { noteSeenOf } from './seen.ts'
import { send } from './send.ts'
import { judgePresent, settle, unreadable } from './settle.ts'
import type { Turn } from './turn.ts'
import { isOfKey } from './unmade.ts'
import { park, wait, type Verdict } from './verdict.ts'
import type { Waits } from './waits.ts'

/** Complete lookups, some ten minutes in all, in which what the service has accepted should have come into its list. */
const LOOKS = 10
/** Sends after which an edit that is proven not applied is left to the person (sync.md, "Failure by failure"). */
const SENDS = 5

/** What it takes to try an edit. */
export interface Attempting extends OutboxPorts {
  waits: Waits
  reading: Reading
  /** By edit: that its request came to nothing, where a disk has kept that from being written down. */
  unwritten: Map<string, { edit: Edit; verdict: Verdict }>
  isActive: () => boolean
}

/** An edit that is `sending` on disk, and leaves now. */
export interface Departure extends Turn {
  /** The statistics password that goes with it. */
  secret: string | null
}

/**
 * Takes the next step with one edit that isn't sent yet, or settles it where it's in doubt: reads what it touches, merges it, and
 * writes down that it's being sent. Null: nothing of it is to be sent now. Never throws for what a network, a host, a disk or a
 * keychain does. Errors: `disk-full`, `storage`.
 */
export async function prepare(ports: Attempting, turn: Turn): Promise<Result<Departure | null>> {
  const { edit: picked, website } = turn
  if (isSent(picked)) {
    const known = ports.unwritten.get(picked.id)
    if (known !== undefined) return finish(ports, known.edit, known.verdict)
    const edit = asDoubted(picked)
    return finish(ports, edit, await settle(ports, edit, website))
  }
  const { store, reading, isActive } = ports
  const password = await unseal(ports, picked)
  if (!password.ok) return withoutPassword(ports, turn, password.error)
  if (!mayGo(ports)) return ok(null)

  if (picked.kind === 'create' && picked.sent?.unclear === true) {
    const lookup = await lookUp(ports.service, website.domain)
    if (lookup.found === 'unreadable') return finishUnsent(ports, turn, await unreadable(ports, lookup.error))
    if (lookup.found === 'present') return finishUnsent(ports, turn, judgePresent(ports, picked, lookup.website))
  }
  // By the service's clock ours is told from somebody else's, if its answer is lost (sync.md, the row "create in doubt").
  if (picked.kind === 'create' && picked.sent === null && !ports.connectivity.isHeard())
    await ports.connectivity.probe()
  let there: WebsiteRecord | null = null
  if (picked.kind !== 'create' && website.id !== null) {
    const read = await reading.read(website.id)
    if (read === 'elsewhere' || !isActive()) return ok(null)
    if (read.outcome !== 'applied')
      return finishUnsent(
        ports,
        turn,
        await judgeUnread(ports, { kind: picked.kind, id: website.id, domain: website.domain }, read),
      )
    there = read.value
  }

  // The keychain and the read may have taken their time: was all this stopped meanwhile, the gate closed, or the edit
  // changed? From here to the request itself is one turn: what waits for the rate is queued, and nothing leaves after a stop.
  if (!mayGo(ports)) return ok(null)
  const now = store.read(() => ok(unchanged(store, turn, there)))
  if (!now.ok) return now
  if (now.value === null) return ok(null)
  const { edit } = now.value
  const frozen = there === null ? { send: edit } : freeze(edit, there)
  if ('verdict' in frozen) return finish(ports, edit, frozen)
  const leaving = { ...now.value, frozen: frozen.send, there }
  const sending = store.write(() => ok(markSending(ports, leaving)))
  if (!sending.ok) return sending
  return ok({ ...turn, edit: sending.value, secret: sending.value.sealed === null ? null : password.value })
}

/**
 * Sends it, in this very turn, and writes down what came of it. Answers the one that leaves behind it: `next` is asked for that
 * within the acknowledgement, and where it needs nothing that takes time, one commit notes both. Errors: as {@link prepare}.
 */
export async function depart(
  ports: Attempting,
  { edit, website, secret }: Departure,
  next: () => Turn | null,
): Promise<Result<Departure | null>> {
  return finish(ports, edit, await send(ports, edit, website, secret), () => readyNow(ports, next()))
}

/** Marks it as being sent, where neither the keychain nor the service has to be asked before. Within a write. */
function readyNow(ports: Attempting, turn: Turn | null): Departure | null {
  if (turn === null || isSent(turn.edit) || turn.edit.sealed !== null) return null
  const { store, fresh, connectivity } = ports
  const { website } = turn
  const leave = (edit: Edit, frozen: Edit, there: WebsiteRecord | null): Departure => ({
    ...turn,
    edit: markSending(ports, { edit, website, frozen, there }),
    secret: null,
  })

  if (turn.edit.kind === 'create') {
    const { sent } = turn.edit
    const isKnown = sent === null ? connectivity.isHeard() : sent.unclear !== true
    return isKnown ? leave(turn.edit, turn.edit, null) : null
  }
  const there = website.id === null ? null : fresh.of(website.id)
  if (there === null) return null
  const edit = knowingLate(store, turn.edit, there)
  const frozen = freeze(edit, there)
  return 'verdict' in frozen ? null : leave(edit, frozen.send, there)
}

const mayGo = ({ isActive, connectivity }: Attempting): boolean => isActive() && connectivity.gate().open

async function unseal({ sealer }: OutboxPorts, { kind, sealed }: Edit): Promise<Result<string | null>> {
  // An export left it out.
  if (sealed?.length === 0 && kind !== 'delete') return fail('password-missing')
  return sealed === null || kind === 'delete' ? ok(null) : sealer.unseal(sealed)
}

function withoutPassword(ports: Attempting, turn: Turn, error: AppError): Result<Departure | null> {
  if (error.code === 'password-missing') return finishUnsent(ports, turn, park('password', error))
  const now = readAgain(ports.store, turn)
  if (!now.ok) return now
  if (now.value !== null) ports.waits.hold(now.value.edit.id, 'keychain', error)
  return ok(null)
}

/** What came of an edit before anything of it was sent: by then it may be another one. */
function finishUnsent(ports: Attempting, turn: Turn, verdict: Verdict): Result<Departure | null> {
  if (!ports.isActive()) return ok(null)
  const now = readAgain(ports.store, turn)
  if (!now.ok) return now
  if (now.value === null) return ok(null)
  if (verdict.verdict !== 'wait') return finish(ports, now.value.edit, verdict)
  holdBack(ports, now.value.edit, verdict.error)
  return ok(null)
}

/** An edit and its website, as they are now. */
type Now = Pick<Turn, 'edit' | 'website'>

const readAgain = (store: OutboxStore, turn: Turn): Result<Now | null> => store.read(() => ok(unchanged(store, turn)))

/** Null: the edit is gone, or its website or its password is no longer the one that was taken. */
function unchanged(store: OutboxStore, was: Turn, there: WebsiteRecord | null = null): Now | null {
  const edit = store.edit(was.edit.id)
  if (edit?.standing.state !== 'queued' || edit.kind !== was.edit.kind || edit.website !== was.edit.website) return null
  const website = store.website(edit.website)
  if (website?.id !== was.website.id || website.domain !== was.website.domain || !isSamePassword(edit, was.edit))
    return null
  return { edit: there === null ? edit : knowingLate(store, edit, there), website }
}

function isSamePassword({ sealed: a }: Edit, { sealed: b }: Edit): boolean {
  return a === null || b === null ? a === b : Buffer.compare(a, b) === 0
}

/** "Sending" is on disk before the first byte leaves (sync.md, "Life of an edit"), with what was read before it. Within a write. */
function markSending(
  { store, connectivity }: OutboxPorts,
  { edit, website, frozen, there }: Now & { frozen: Edit; there: WebsiteRecord | null },
): Edit {
  const sent: SentNote =
    edit.sent === null
      ? {
          before: domainBefore(store, website),
          date: connectivity.serviceDate(),
          accepted: false,
          doubted: false,
        }
      : {
          ...edit.sent,
          before: beforeAgain(store, edit.sent, website),
          accepted: false,
          unclear: false,
          shown: undefined,
        }
  const sending: Edit = { ...frozen, standing: { state: 'sending' }, attempts: edit.attempts + 1, sent }
  if (there !== null) {
    noteSeenOf(store, website, there)
    keepAsFound(store, edit, frozen, there)
  }
  store.saveEdit(sending)
  return sending
}

/** A list that was read completely since, and hasn't got the domain, tells what nobody knew at the first send. */
const beforeAgain = (store: OutboxStore, { before }: SentNote, website: Website): SentNote['before'] =>
  before === 'unknown' && domainBefore(store, website) === 'absent' ? 'absent' : before

function domainBefore(store: OutboxStore, { id, domain }: Website): SentNote['before'] {
  if (id !== null || store.websitesOfDomain(domain).some((other) => other.id !== null)) return 'present'
  return store.hasCompleteSnapshot() ? 'absent' : 'unknown'
}

/** Also what was `sending` when the process ended, or whose answer couldn't be written down. */
const asDoubted = (edit: Edit): Edit => ({
  ...edit,
  standing: edit.standing.state === 'inDoubt' ? edit.standing : { state: 'inDoubt', error: null },
  sent: edit.sent === null ? null : { ...edit.sent, doubted: true },
})

function finish(
  ports: Attempting,
  edit: Edit,
  judged: Verdict,
  next: () => Departure | null = () => null,
): Result<Departure | null> {
  const { store, waits, unwritten, clock, random, fresh } = ports
  const verdict = afterReads(ports, edit, afterSends(ports, edit, judged))
  const conclusion: Conclusion = {
    edit: asRead(edit, judged, verdict),
    verdict,
    stamp: { id: random.id(), changedAt: clock.wall() },
  }
  const concluded = concludeWith(store, conclusion, isPlain(edit, verdict) ? next : null)
  if (!concluded.ok) {
    // After a restart it's in doubt.
    if (edit.standing.state === 'sending' && isOfNothing(verdict)) unwritten.set(edit.id, { edit, verdict })
    waits.backOff(edit.id, concluded.error)
    return concluded
  }
  unwritten.delete(edit.id)
  if (verdict.verdict === 'applied' && edit.standing.state === 'inDoubt') fresh.proven(verdict.record)
  if (verdict.verdict === 'deleted') waits.unlimit()
  if (verdict.verdict === 'park' && verdict.reason === 'website-limit') waits.limit()
  switch (verdict.verdict) {
    case 'applied':
    case 'deleted':
    case 'nothing':
    case 'park':
      waits.forget(edit.id)
      break
    case 'again':
    case 'missing':
      waits.backOff(edit.id, verdict.error)
      break
    case 'wait':
    case 'unmade':
      holdBack(ports, edit, verdict.error)
      break
    case 'doubt':
      // It's read at once; how often it has failed is remembered.
      waits.doubted(edit.id)
      break
  }
  return concluded
}

/** What came of it, and the next one: both or, where that can't be written, the first alone. */
function concludeWith(
  store: OutboxStore,
  conclusion: Conclusion,
  next: (() => Departure | null) | null,
): Result<Departure | null> {
  if (next !== null) {
    const both = conclude(store, conclusion, next)
    if (both.ok) return both
  }
  return conclude(store, conclusion, () => null)
}

/** The answer to its request says that it was applied, and that is all there is to it. */
const isPlain = (edit: Edit, verdict: Verdict): boolean =>
  verdict.verdict === 'applied' && verdict.resend === null && edit.standing.state === 'sending'

/** Nothing of it was taken, and nothing is wrong with it. */
const isOfNothing = ({ verdict }: Verdict): boolean => verdict === 'unmade' || verdict === 'wait'

/** Parked in the place of being sent again, it's held against the same read: that the record has moved may be our own doing. */
const asRead = (edit: Edit, judged: Verdict, { verdict }: Verdict): Edit =>
  verdict === 'park' && judged.verdict === 'again' && judged.base !== null ? { ...edit, base: judged.base } : edit

function afterSends({ waits }: Attempting, edit: Edit, verdict: Verdict): Verdict {
  const failures = (edit.sent?.failures ?? 0) + 1
  if (verdict.verdict === 'again' && failures >= SENDS && !isThere(edit, verdict.there)) {
    // A read so soon after it may be behind: before the person is told that it failed, there's another.
    const left = waits.mayBeBehindFor(edit.id)
    if (left > 0) return wait({ ...verdict.error, retryAfter: left / 1000 })
    return park('failing', verdict.error, null, verdict.there)
  }
  return verdict.verdict === 'missing' && failures >= LOOKS ? park('gone', verdict.error) : verdict
}

/** A read that tells nothing, though the service is there for others: in the long run nobody but the person can go on. */
function afterReads({ connectivity, waits }: Attempting, { id, standing }: Edit, verdict: Verdict): Verdict {
  if (standing.state !== 'inDoubt' || verdict.verdict !== 'wait' || !connectivity.gate().open) return verdict
  return waits.unread(id) ? park('unread', verdict.error) : verdict
}

/** All that it changes and that can be seen: only what can't be is sent again, and nobody can tell that it failed. */
function isThere({ base, settings }: Edit, there: WebsiteRecord | null): boolean {
  const changes = settingNames.filter((name) => !meansSame(base.settings, settings, name))
  const shown = changes.filter((name) => settings[name] !== undefined && there?.[name] !== undefined)
  return there !== null && shown.length > 0 && shown.every((name) => meansSame(there, settings, name))
}

/**
 * Where the whole connection is held, the edit goes as soon as that is over. Where it isn't for want of a key, another one is
 * there already: the edit goes with that at once.
 */
function holdBack({ connectivity, waits }: Attempting, { id }: Edit, error: AppError): void {
  if (connectivity.gate().open && !isOfKey(error.code)) waits.backOff(id, error)
}
