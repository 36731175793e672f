import { ok, type Result } from '../../shared/result.ts'
import { conclude } from './conclude.ts'
import { isSent, type Edit } from './edit.ts'
import type { OutboxPorts, Website } from './ports.ts'
import { send } from './send.ts'
import { settle } from './settle.ts'
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
  turn: Turn,
  isActive: () => boolean,
): Promise<Result<void>> {
  if (isSent(turn.edit)) {
    const edit = asDoubted(turn.edit)
    return finish(ports, waits, edit, await settle(ports, edit, turn.website))
  }
  const password = await unseal(ports, turn.edit)
  if (!password.ok) {
    if (password.error.code === 'password-missing') {
      return finish(ports, waits, turn.edit, park('password', password.error))
    }
    waits.hold(turn.edit.id, 'keychain', password.error)
    return ok(undefined)
  }
  // Stopped while the keychain took its time: nothing new goes out.
  if (!isActive()) return ok(undefined)
  const marked = markSending(ports, turn)
  if (!marked.ok) waits.backOff(turn.edit.id, marked.error)
  if (!marked.ok || marked.value === null) return marked.ok ? ok(undefined) : marked
  const edit = marked.value
  return finish(ports, waits, edit, await send(ports, edit, turn.website, password.value))
}

/** A request that was `sending` when the process ended, or whose answer couldn't be written down. */
const asDoubted = (edit: Edit): Edit =>
  edit.standing.state === 'sending' ? { ...edit, standing: { state: 'inDoubt', error: null } } : edit

async function unseal({ sealer }: OutboxPorts, { kind, sealed }: Edit): Promise<Result<string | null>> {
  return sealed === null || kind === 'delete' ? ok(null) : sealer.unseal(sealed)
}

/**
 * "Sending" is on disk before the first byte leaves. Null: the person changed the edit while its password was being
 * unsealed, so it's looked at anew.
 */
function markSending({ store, connectivity }: OutboxPorts, { edit, website }: Turn): Result<Edit | null> {
  return store.write(() => {
    const now = store.edit(edit.id)
    if (now === null || now.standing.state !== 'queued' || now.kind !== edit.kind || !sameSeal(now, edit))
      return ok(null)
    const sending: Edit = {
      ...now,
      standing: { state: 'sending' },
      attempts: now.attempts + 1,
      sent: now.sent ?? {
        before: domainBefore(store, website.domain),
        date: connectivity.serviceDate(),
        accepted: false,
        doubted: false,
      },
    }
    store.saveEdit(sending)
    return ok(sending)
  })
}

function domainBefore(store: OutboxPorts['store'], domain: string): 'absent' | 'present' | 'unknown' {
  if (store.websitesOfDomain(domain).some(({ id }) => id !== null)) return 'present'
  return store.hasCompleteSnapshot() ? 'absent' : 'unknown'
}

const sameSeal = (a: Edit, b: Edit): boolean =>
  a.sealed === null || b.sealed === null ? a.sealed === b.sealed : Buffer.compare(a.sealed, b.sealed) === 0

function finish(ports: OutboxPorts, waits: Waits, edit: Edit, verdict: Verdict): Result<void> {
  const concluded = conclude(ports.store, edit, verdict)
  if (!concluded.ok) waits.backOff(edit.id, concluded.error)
  else if (verdict.verdict === 'again') waits.backOff(edit.id, verdict.error)
  else if (verdict.verdict !== 'wait') waits.forget(edit.id)
  // Where the whole connection is held, the edit goes as soon as that is over.
  else if (ports.connectivity.gate().open) waits.backOff(edit.id, verdict.error)
  return concluded
}
