import type { KeychainState } from '../../shared/connection.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import type { Secret } from './secret.ts'

/** The used part of keytar. Not `findCredentials`, which crashes the process on a locked keychain. */
export interface Keytar {
  getPassword(service: string, account: string): Promise<string | null>
  setPassword(service: string, account: string, password: string): Promise<void>
  deletePassword(service: string, account: string): Promise<boolean>
}

/** The names of stored entries, needed because keytar returns null both for a missing entry and for a locked keychain. */
interface KeychainRecords {
  has(name: string): boolean
  /** Records that an entry is stored, or no longer is. Errors: `disk-full`, `storage`. */
  set(name: string, stored: boolean): Result<void>
  endingWith(end: string): string[]
}

/**
 * The keychain of the operating system. Errors of each call: `keychain-missing` (no library, no provider), `keychain-locked`
 * (locked, or the user has removed our entry), `keychain-timeout` (no answer, or a prompt is open); `disk-full`, `storage` if our
 * own record can't be written.
 */
export interface Keychain {
  state(): KeychainState
  /** True if the entry is recorded as stored and is not to be deleted. */
  isRecorded(name: string): boolean
  /** Reads an entry. Null if the entry was never stored or is to be deleted. */
  get(name: string): Promise<Result<string | null>>
  /**
   * Like {@link Keychain.get}, for reads that the user has not asked for. Doesn't repeat a failed read, which might prompt the
   * user again, until the keychain is ready or {@link Keychain.askAgain} is called.
   */
  getUnlessRefused(name: string): Promise<Result<string | null>>
  /** Lets {@link Keychain.getUnlessRefused} read again, because the user asks for something that may need an entry. */
  askAgain(): void
  /**
   * Like {@link Keychain.get}, but also null for an entry that the user has removed. Distinguishes a removed entry from a locked
   * keychain by a test write, which may prompt the user.
   */
  find(name: string): Promise<Result<string | null>>
  /** Replaces an entry. Fails with `invalid-input` for a secret with a line break. */
  set(name: string, secret: Secret): Promise<Result<void>>
  /** Deletes an entry. Until that succeeds, the entry is not returned, and {@link Keychain.sweep} tries again. */
  delete(name: string): Promise<Result<void>>
  /** Repeats failed deletions. Does not access the keychain if there are none. */
  sweep(): Promise<void>
  onState(listener: (state: KeychainState) => void): void
  /** Makes no further call and ignores pending answers, because the records are about to be closed. */
  close(): void
}

export interface KeychainOptions {
  load: () => Promise<Keytar>
  service: string
  records: KeychainRecords
  /** Milliseconds after which a call fails. The native call itself can't be canceled. */
  timeLimit?: number
}

/** Suffix of the record that an entry is to be deleted. */
const DUE_SUFFIX = ':due'

/** `late`: there was no answer within the time limit. */
type Answer<T> = { kind: 'value'; value: T } | { kind: 'rejected' } | { kind: 'late' }

/** Loads keytar on first use. Makes one native call at a time, each with a time limit. */
export function createKeychain({ load, service, records, timeLimit = 15_000 }: KeychainOptions): Keychain {
  let state: KeychainState = 'unknown'
  let keytar: Keytar | undefined
  let queue: Promise<unknown> = Promise.resolve()
  let hung = false
  let closed = false
  const listeners: ((state: KeychainState) => void)[] = []
  /** The entries that {@link Keychain.getUnlessRefused} does not read again. */
  const refused = new Set<string>()

  function setState(next: KeychainState): void {
    if (next === state) return
    state = next
    if (next === 'ready') refused.clear()
    for (const listener of listeners) listener(next)
  }

  /** A native call that hangs blocks one of libuv's four threads, so no other call starts until it returns. */
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
      // If the user unlocks the keychain after all, the listeners may ask again. After any other answer nothing is retried,
      // because that would prompt the user again.
      void settled.then((late) => {
        if (closed) return
        hung = false
        setState(late.kind === 'value' && typeof late.value === 'string' ? 'ready' : 'unknown')
      })
    }
    return closed ? never() : answer
  }

  /** Runs `work` after all earlier calls. Once the keychain is closed, it neither runs nor resolves. */
  const enqueue = <T>(work: () => Promise<T>): Promise<T> => {
    const next = queue.then(() => (closed ? never<T>() : work()))
    queue = next.catch(() => undefined)
    return next
  }

  function locked() {
    setState('locked')
    return fail('keychain-locked')
  }

  function unanswered(answer: { kind: 'rejected' } | { kind: 'late' }) {
    if (answer.kind === 'late') {
      setState('frozen')
      return fail('keychain-timeout')
    }
    setState('missing')
    return fail('keychain-missing')
  }

  function ready<T>(value: T): Result<T> {
    setState('ready')
    return ok(value)
  }

  const due = (name: string): string => name + DUE_SUFFIX

  async function get(name: string): Promise<Result<string | null>> {
    if (records.has(due(name))) return ok(null)
    const read = await readEntry(name)
    // If a recorded entry is missing, the keychain is locked. If an unrecorded one is missing, that proves nothing.
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

  /**
   * Reads an entry from the keychain itself. Null if the entry is missing or the keychain is locked, which keytar does not tell
   * apart.
   */
  async function readEntry(name: string): Promise<Result<string | null>> {
    const answer = await call((k) => k.getPassword(service, name))
    if (answer.kind !== 'value') return unanswered(answer)
    if (answer.value === null) return ok(null)
    // The record was lost. Without it, the entry would never be deleted. If this fails, the next read tries again.
    if (!records.has(name)) records.set(name, true)
    return ready(answer.value)
  }

  /** Tells a removed entry from a locked keychain, which rejects writes. */
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
    // Recorded first, because an unrecorded entry would never be deleted.
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
    get: (name) => enqueue(() => get(name)),
    getUnlessRefused: (name) => enqueue(() => getUnlessRefused(name)),
    askAgain: () => refused.clear(),
    find: (name) => enqueue(() => find(name)),
    set: (name, secret) => enqueue(() => set(name, secret)),
    delete(name) {
      // Recorded first, because the app may end before the keychain has answered.
      records.set(due(name), true)
      return enqueue(() => removeOrNote(name))
    },
    sweep: () =>
      enqueue(async () => {
        for (const name of records.endingWith(DUE_SUFFIX)) await removeOrNote(name.slice(0, -DUE_SUFFIX.length))
      }),
    onState: (listener) => void listeners.push(listener),
    close: () => void (closed = true),
  }
}

/** Stays pending, so that no caller continues after the end. */
const never = <T>(): Promise<T> => new Promise(() => undefined)
