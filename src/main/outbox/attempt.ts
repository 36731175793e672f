import { fail, ok, type Result } from '../../shared/result.ts'
import { conclude } from './conclude.ts'
import { isSent, type Edit, type SentNote } from './edit.ts'
import type { OutboxPorts, OutboxStore, Website } from './ports.ts'
import { send } from './send.ts'
import { settle } from './settle.ts'
import { isOfKey } from './unmade.ts'
import { park, type Verdict } from './verdict.ts'
import type { Waits } from './waits.ts'

export interface Turn {
  edit: Edit
  website: Website
}

/**
 * Takes the next step with one edit: sends it, or settles it where it's in doubt, and writes down what came of it.
 * Never throws for what a network, a host, a disk or a keychain does. Errors: `disk-full`, `storage`.
 */
export async function attempt(
  ports: OutboxPorts,
  waits: Waits,
  { edit: picked, website }: Turn,
  isActive: () => boolean,
): Promise<Result<void>> {
  if (isSent(picked)) {
    const edit = asDoubted(picked)
    return finish(ports, waits, edit, await settle(ports, edit, website))
  }
  const password = await unseal(ports, picked)
  // The keychain may have taken its time: was all this stopped meanwhile, the gate closed, or the edit changed? From here
  // to the request itself is one turn: what waits for the rate is queued, and nothing leaves after a stop.
  if (!isActive() || !ports.connectivity.gate().open) return ok(undefined)
  const now = ports.store.read(() => ok(unchanged(ports.store, picked)))
  if (!now.ok) return now
  const edit = now.value
  if (edit === null) return ok(undefined)
  if (!password.ok) {
    const { error } = password
    if (error.code === 'password-missing') return finish(ports, waits, edit, park('password', error))
    waits.hold(edit.id, 'keychain', error)
    return ok(undefined)
  }
  const sending = markSending(ports, edit, website)
  if (!sending.ok) return sending
  return finish(ports, waits, sending.value, await send(ports, sending.value, website, password.value))
}

async function unseal({ sealer }: OutboxPorts, { kind, sealed }: Edit): Promise<Result<string | null>> {
  // An export left it out.
  if (sealed?.length === 0 && kind !== 'delete') return fail('password-missing')
  return sealed === null || kind === 'delete' ? ok(null) : sealer.unseal(sealed)
}

/** The edit as it is now; null where it's gone, or its password is no longer the one that was unsealed. */
function unchanged(store: OutboxStore, picked: Edit): Edit | null {
  const now = store.edit(picked.id)
  if (now?.standing.state !== 'queued' || now.kind !== picked.kind) return null
  if (now.sealed === null || picked.sealed === null) return now.sealed === picked.sealed ? now : null
  return Buffer.compare(now.sealed, picked.sealed) === 0 ? now : null
}

/** "Sending" is on disk before the first byte leaves (sync.md, "Life of an edit"). */
function markSending({ store, connectivity }: OutboxPorts, edit: Edit, website: Website): Result<Edit> {
  const first = (): SentNote => ({
    before: domainBefore(store, website.domain),
    date: connectivity.serviceDate(),
    accepted: false,
    doubted: false,
  })
  return store.write(() => {
    const sent = edit.sent === null ? first() : { ...edit.sent, accepted: false }
    const sending: Edit = { ...edit, standing: { state: 'sending' }, attempts: edit.attempts + 1, sent }
    store.saveEdit(sending)
    return ok(sending)
  })
}

function domainBefore(store: OutboxStore, domain: string): SentNote['before'] {
  if (store.websitesOfDomain(domain).some(({ id }) => id !== null)) return 'present'
  return store.hasCompleteSnapshot() ? 'absent' : 'unknown'
}

/** Also what was `sending` when the process ended, or whose answer couldn't be written down. */
const asDoubted = (edit: Edit): Edit => ({
  ...edit,
  standing: edit.standing.state === 'inDoubt' ? edit.standing : { state: 'inDoubt', error: null },
  sent: edit.sent === null ? null : { ...edit.sent, doubted: true },
})

function finish(ports: OutboxPorts, waits: Waits, edit: Edit, verdict: Verdict): Result<void> {
  const concluded = conclude(ports.store, edit, verdict, ports.clock.wall())
  if (!concluded.ok) {
    waits.backOff(edit.id, concluded.error)
    return concluded
  }
  if (verdict.verdict === 'deleted') waits.unlimit()
  if (verdict.verdict === 'park' && verdict.reason === 'website-limit') waits.limit()
  switch (verdict.verdict) {
    case 'applied':
    case 'deleted':
    case 'park':
      waits.forget(edit.id)
      break
    case 'again':
      waits.backOff(edit.id, verdict.error)
      break
    case 'wait':
    case 'unmade':
      // Where the whole connection is held, the edit goes as soon as that is over. Where it isn't for want of a key,
      // another one is there already: the edit goes with that at once.
      if (ports.connectivity.gate().open && !isOfKey(verdict.error.code)) waits.backOff(edit.id, verdict.error)
      break
    case 'doubt':
      // It's read at once; how often it has failed is remembered.
      break
  }
  return concluded
}
