import type { KeychainState } from '../../shared/connection.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import type { Secret } from './secret.ts'

/** The functions of keytar that the app uses. `findCredentials` crashes the process on a locked keychain. */
export interface Keytar {
  getPassword(service: string, account: string): Promise<string | null>
  setPassword(service: string, account: string, password: string): Promise<void>
  deletePassword(service: string, account: string): Promise<boolean>
}

/**
 * The names of stored entries. They are needed because keytar returns null both for a missing entry and for a locked
 * keychain.
 */
interface KeychainRecords {
  has(name: string): boolean
  /** Records that an entry is stored, or no longer is. Errors: `disk-full`, `storage`. */
  set(name: string, stored: boolean): Result<void>
  endingWith(end: string): string[]
}

/**
 * The keychain of the operating system. Errors of each call: `keychain-missing` (no library, no provider),
 * `keychain-locked` (locked, or the user has removed our entry), `keychain-timeout` (no answer, or a prompt is open);
 * `disk-full`, `storage` if our own record can't be written.
 */
export interface Keychain {
  state(): KeychainState
  /** True if an entry is recorded as stored and its deletion is not due. */
  isRecorded(name: string): boolean
  /** Returns an entry, or null if it was never stored or its deletion is due. */
  get(name: string): Promise<Result<string | null>>
  /**
   * Like {@link Keychain.get}, but after a failure the entry is not read again, which might prompt the user again, until the
   * keychain is ready or {@link Keychain.askAgain}. For reads that the user has not asked for.
   */
  getUnlessRefused(name: string): Promise<Result<string | null>>
  /** The user has asked for what may need an entry: those that could not be read are read again. */
  askAgain(): void
  /**
   * Like {@link Keychain.get}, but also returns null for an entry that was stored and has been removed. This needs a
   * write, which tells a removed entry from a locked keychain and may prompt the user to unlock it.
   */
  find(name: string): Promise<Result<string | null>>
  /** Stores an entry in place of the one before. Fails with `invalid-input` for a secret with a line break. */
  set(name: string, secret: Secret): Promise<Result<void>>
  /** Deletes an entry. The deletion is noted as due until it succeeds. The entry is not returned until it is stored again. */
  delete(name: string): Promise<Result<void>>
  /** Deletes the entries that are due. Does not access the keychain if there are none. */
  sweep(): Promise<void>
  onState(listener: (state: KeychainState) => void): void
  /** Makes no further call and ignores pending answers, as the records are about to be closed. */
  close(): void
}

export interface KeychainOptions {
  load: () => Promise<Keytar>
  service: string
  records: KeychainRecords
  /** Milliseconds after which a call fails for its caller. The native call itself can't be cancelled. */
  timeLimit?: number
}

/** Suffix of the record of a deletion that is due. */
const DUE_SUFFIX = ':due'

/** The answer of a native call. `late`: there was none within the time limit. */
type Answer<T> = { kind: 'value'; value: T } | { kind: 'rejected' } | { kind: 'late' }

/**
 * Creates the keychain over keytar, which is loaded on first use. Makes one native call at a time, each with a time
 * limit.
 */
export function createKeychain({ load, service, records, timeLimit = 15_000 }: KeychainOptions): Keychain {
  let state: KeychainState = 'unknown'
  let keytar: Keytar | undefined
  let queue: Promise<unknown> = Promise.resolve()
  let hung = false
  let closed = false
  const listeners: ((state: KeychainState) => void)[] = []
  /** The entries that {@link Keychain.getUnlessRefused} does not read until the keychain is ready or the user asks. */
  const refused = new Set<string>()

  function setState(next: KeychainState): void {
    if (next === state) return
    state = next
    if (next === 'ready') refused.clear()
    for (const listener of listeners) listener(next)
  }

  /** Makes one native call. A call that hangs blocks one of libuv's four threads, so no other call starts until it returns. */
  async function call<T>(use: (keytar: Keytar) => Promise<T>): Promise<Answer<T>> {
    if (hung) return { kind: 'late' }
    try {
      keytar ??= await load()
    } catch {
      return { kind: 'rejected' }
    }
    const settled = use(keytar).then(
      (value): Answer<T> => ({ kind: 'value', value }),
      (): Answer<T> => ({ kind: 'rejected' }),
    )
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<Answer<T>>((resolve) => {
      timer = setTimeout(() => resolve({ kind: 'late' }), timeLimit)
    })
    const answer = await Promise.race([settled, late])
    clearTimeout(timer)
    if (answer.kind === 'late') {
      hung = true
      // If the user unlocks the keychain after all, listeners are notified and may ask again. After a refusal or an
      // unknown answer nothing is retried automatically, as that would prompt the user again.
      void settled.then((late) => {
        if (closed) return
        hung = false
        setState(late.kind === 'value' && typeof late.value === 'string' ? 'ready' : 'unknown')
      })
    }
    return closed ? never() : answer
  }

  /** Runs `work` after all earlier calls. Once the keychain is closed, it neither runs nor resolves. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = queue.then(() => (closed ? never<T>() : work()))
    queue = next.catch(() => undefined)
    return next
  }

  /** Sets the state to `locked`, and returns the error for it. */
  function locked() {
    setState('locked')
    return fail('keychain-locked')
  }

  /** Sets the state after a call without an answer, and returns its error. */
  function unanswered(answer: { kind: 'rejected' } | { kind: 'late' }) {
    if (answer.kind === 'late') {
      setState('frozen')
      return fail('keychain-timeout')
    }
    setState('missing')
    return fail('keychain-missing')
  }

  /** Sets the state to `ready` after a call that succeeded, and returns its value. */
  function ready<T>(value: T): Result<T> {
    setState('ready')
    return ok(value)
  }

  const due = (name: string): string => name + DUE_SUFFIX

  async function get(name: string): Promise<Result<string | null>> {
    if (records.has(due(name))) return ok(null)
    const read = await readEntry(name)
    // A recorded entry that is missing means a locked keychain. An unrecorded one that is missing proves nothing.
    return read.ok && read.value === null && records.has(name) ? locked() : read
  }

  async function getUnlessRefused(name: string): Promise<Result<string | null>> {
    if (refused.has(name)) return fail('keychain-locked')
    const found = await get(name)
    if (!found.ok) refused.add(name)
    return found
  }

  async function find(name: string): Promise<Result<string | null>> {
    if (records.has(due(name))) return ok(null)
    const read = await readEntry(name)
    if (!read.ok || read.value !== null) return read
    const open = await probeByWriting(name)
    if (!open.ok) return open
    // The user may have unlocked the keychain for this write.
    const again = await readEntry(name)
    if (!again.ok || again.value !== null) return again
    const noted = records.has(name) ? records.set(name, false) : ok(undefined)
    return noted.ok ? ok(null) : noted
  }

  /** Returns an entry. Null if it is missing or the keychain is locked, which keytar does not tell apart. */
  async function readEntry(name: string): Promise<Result<string | null>> {
    const answer = await call((k) => k.getPassword(service, name))
    if (answer.kind !== 'value') return unanswered(answer)
    if (answer.value === null) return ok(null)
    // The record was lost. It is restored, as an unrecorded entry would never be deleted. If that fails, the next read
    // tries again.
    if (!records.has(name)) records.set(name, true)
    return ready(answer.value)
  }

  /** Determines by a write whether an entry was removed or the keychain is locked. */
  async function probeByWriting(name: string): Promise<Result<void>> {
    const probe = `${name}:probe`
    const written = await call((k) => k.setPassword(service, probe, 'probe'))
    if (written.kind === 'late') return unanswered(written)
    if (written.kind === 'rejected') return locked()
    await call((k) => k.deletePassword(service, probe))
    return ready(undefined)
  }

  async function set(name: string, secret: Secret): Promise<Result<void>> {
    const text = secret.reveal()
    if (/[\r\n]/.test(text)) return fail('invalid-input')
    if (hung) return unanswered({ kind: 'late' })
    // The record is written first, as an unrecorded entry would never be deleted.
    const before = records.has(name)
    const recorded = records.set(name, true)
    if (!recorded.ok) return recorded
    const answer = await call((k) =>
      k.setPassword(service, name, text).catch((error: unknown) => {
        // This may be after the time limit.
        if (!closed) records.set(name, before)
        throw error
      }),
    )
    if (answer.kind === 'value') {
      const cleared = records.set(due(name), false)
      return cleared.ok ? ready(undefined) : cleared
    }
    if (answer.kind === 'late') return unanswered(answer) // The entry may still be stored.
    records.set(name, before)
    // A locked keychain rejects writes but answers reads. A missing one rejects both.
    const probe = await call((k) => k.getPassword(service, name))
    return probe.kind === 'value' ? locked() : unanswered(probe)
  }

  async function remove(name: string): Promise<Result<void>> {
    const answer = await call((k) => k.deletePassword(service, name))
    if (answer.kind !== 'value') return unanswered(answer)
    if (answer.value) {
      setState('ready')
      return records.set(name, false)
    }
    if (!records.has(name)) return ok(undefined)
    const open = await probeByWriting(name)
    if (!open.ok) return open
    // The user may have unlocked the keychain for this write, so the entry may still be there.
    const again = await call((k) => k.deletePassword(service, name))
    return again.kind === 'value' ? records.set(name, false) : unanswered(again)
  }

  async function removeOrNote(name: string): Promise<Result<void>> {
    const gone = await remove(name)
    const noted = records.set(due(name), !gone.ok)
    return noted.ok ? gone : noted
  }

  return {
    state: () => state,
    isRecorded: (name) => records.has(name) && !records.has(due(name)),
    get: (name) => inTurn(() => get(name)),
    getUnlessRefused: (name) => inTurn(() => getUnlessRefused(name)),
    askAgain: () => refused.clear(),
    find: (name) => inTurn(() => find(name)),
    set: (name, secret) => inTurn(() => set(name, secret)),
    delete(name) {
      // Noted first, because the app may end before the keychain has answered.
      records.set(due(name), true)
      return inTurn(() => removeOrNote(name))
    },
    sweep: () =>
      inTurn(async () => {
        for (const name of records.endingWith(DUE_SUFFIX)) await removeOrNote(name.slice(0, -DUE_SUFFIX.length))
      }),
    onState: (listener) => void listeners.push(listener),
    close: () => void (closed = true),
  }
}

/** Returns a promise that stays pending, so that no caller continues after the end. */
const never = <T>(): Promise<T> => new Promise(() => undefined)
