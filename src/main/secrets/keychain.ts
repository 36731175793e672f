import type { KeychainState } from '../../shared/connection.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import type { Secret } from './secret.ts'

/** The part of keytar that is used. `findCredentials` is left out: on a locked keychain it crashes the process. */
export interface Keytar {
  getPassword(service: string, account: string): Promise<string | null>
  setPassword(service: string, account: string, password: string): Promise<void>
  deletePassword(service: string, account: string): Promise<boolean>
}

/** Our own record of what was stored: keytar answers null for a missing entry and for a locked keychain alike. */
interface KeychainRecords {
  has(name: string): boolean
  /** Errors: `disk-full`, `storage`. */
  set(name: string, stored: boolean): Result<void>
  endingWith(end: string): string[]
}

/**
 * The OS keychain. Errors of every call: `keychain-missing` (no library, no provider), `keychain-locked` (locked, or
 * an entry that we stored was removed by hand), `keychain-timeout` (it doesn't answer, or asks the person and waits);
 * and `disk-full`, `storage` where our own record can't be kept.
 */
export interface Keychain {
  state(): KeychainState
  /** Whether our own record says that it was stored. */
  recorded(name: string): boolean
  /** Null: never stored by us. */
  get(name: string): Promise<Result<string | null>>
  /**
   * As {@link Keychain.get}, and null also where what was stored is gone, or never came there: a write tells that from
   * a keychain that is locked. Such a write may ask the person once more to unlock it.
   */
  find(name: string): Promise<Result<string | null>>
  set(name: string, secret: Secret): Promise<Result<void>>
  /**
   * Where it can't be deleted just now, that is noted as due, and from here on the secret is never handed out again;
   * the error says why.
   */
  delete(name: string): Promise<Result<void>>
  /** Deletes all that is due; asks the keychain nothing where nothing is. */
  sweep(): Promise<void>
  onState(listener: (state: KeychainState) => void): void
  /** The records are about to be closed: what it still answers is nobody's, and nothing else is asked. */
  close(): void
}

export interface KeychainOptions {
  load: () => Promise<Keytar>
  service: string
  records: KeychainRecords
  /** Milliseconds after which the caller gets its answer; the call itself can't be ended. */
  timeLimit?: number
}

/** Ends the name under which a deletion is noted that couldn't be made yet. */
const DUE = ':due'

type Answer<T> = { kind: 'value'; value: T } | { kind: 'rejected' } | { kind: 'late' }

/** keytar behind a port: loaded when first needed, one call in flight, our own time limit. */
export function createKeychain({ load, service, records, timeLimit = 15_000 }: KeychainOptions): Keychain {
  let state: KeychainState = 'unknown'
  let keytar: Keytar | undefined
  let turn: Promise<unknown> = Promise.resolve()
  let hung = false
  let closed = false
  const listeners: ((state: KeychainState) => void)[] = []

  function become(next: KeychainState): void {
    if (next === state) return
    state = next
    for (const listener of listeners) listener(next)
  }

  /** One native call. Each that hangs holds one of libuv's four threads, so while one does no other is begun. */
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
      // The person may still unlock it: then whoever waits is told, and asks again. Where they turned it down, or nothing
      // can be made of the answer, nobody does by itself: that would ask them anew.
      void settled.then((late) => {
        if (closed) return
        hung = false
        become(late.kind === 'value' && typeof late.value === 'string' ? 'ready' : 'unknown')
      })
    }
    return closed ? never() : answer
  }

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = turn.then(() => (closed ? never<T>() : work()))
    turn = next.catch(() => undefined)
    return next
  }

  function locked() {
    become('locked')
    return fail('keychain-locked')
  }

  function unanswered(answer: { kind: 'rejected' } | { kind: 'late' }) {
    if (answer.kind === 'late') {
      become('frozen')
      return fail('keychain-timeout')
    }
    become('missing')
    return fail('keychain-missing')
  }

  function ready<T>(value: T): Result<T> {
    become('ready')
    return ok(value)
  }

  const due = (name: string): string => name + DUE

  async function get(name: string): Promise<Result<string | null>> {
    if (records.has(due(name))) return ok(null)
    const read = await readEntry(name)
    // A null for what was never stored tells nothing: a locked keychain says the same.
    return read.ok && read.value === null && records.has(name) ? locked() : read
  }

  async function find(name: string): Promise<Result<string | null>> {
    if (records.has(due(name))) return ok(null)
    const read = await readEntry(name)
    if (!read.ok || read.value !== null) return read
    const open = await takesWrites(name)
    if (!open.ok) return open
    const noted = records.has(name) ? records.set(name, false) : ok(undefined)
    return noted.ok ? ok(null) : noted
  }

  async function readEntry(name: string): Promise<Result<string | null>> {
    const answer = await call((k) => k.getPassword(service, name))
    if (answer.kind !== 'value') return unanswered(answer)
    if (answer.value === null) return ok(null)
    // Our record was lost: what isn't recorded would never be removed. If it can't be noted now, the next reading does.
    if (!records.has(name)) records.set(name, true)
    return ready(answer.value)
  }

  /** "Nothing there" is said of a locked keychain and of an entry that is gone: only a write tells them apart. */
  async function takesWrites(name: string): Promise<Result<void>> {
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
    // Recorded first: what isn't recorded would never be removed again.
    const before = records.has(name)
    const recorded = records.set(name, true)
    if (!recorded.ok) return recorded
    const answer = await call((k) => k.setPassword(service, name, text))
    if (answer.kind === 'value') {
      const kept = records.set(due(name), false)
      return kept.ok ? ready(undefined) : kept
    }
    if (answer.kind === 'late') return unanswered(answer) // it may still be stored
    records.set(name, before)
    // A locked keychain refuses a write but answers a read; one that isn't there refuses both.
    const probe = await call((k) => k.getPassword(service, name))
    return probe.kind === 'value' ? locked() : unanswered(probe)
  }

  async function remove(name: string): Promise<Result<void>> {
    const answer = await call((k) => k.deletePassword(service, name))
    if (answer.kind !== 'value') return unanswered(answer)
    if (answer.value) {
      become('ready')
      return records.set(name, false)
    }
    if (!records.has(name)) return ok(undefined)
    const open = await takesWrites(name)
    return open.ok ? records.set(name, false) : open
  }

  async function removeOrNote(name: string): Promise<Result<void>> {
    const gone = await remove(name)
    const noted = records.set(due(name), !gone.ok)
    return noted.ok ? gone : noted
  }

  return {
    state: () => state,
    recorded: (name) => records.has(name) && !records.has(due(name)),
    get: (name) => inTurn(() => get(name)),
    find: (name) => inTurn(() => find(name)),
    set: (name, secret) => inTurn(() => set(name, secret)),
    delete: (name) => inTurn(() => removeOrNote(name)),
    sweep: () =>
      inTurn(async () => {
        for (const name of records.endingWith(DUE)) await removeOrNote(name.slice(0, -DUE.length))
      }),
    onState: (listener) => void listeners.push(listener),
    close: () => void (closed = true),
  }
}

const never = <T>(): Promise<T> => new Promise(() => undefined)
