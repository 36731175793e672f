import type { Keychain } from '../../../src/main/secrets/keychain.ts'
import { fail, ok } from '../../../src/shared/result.ts'

/** A keychain that the user can lock. It outlives the runs of the app, and all accounts share it. */
export class SimulatedKeychain implements Keychain {
  locked = false
  #entries = new Map<string, string>()
  #onUnlock: (() => void)[] = []

  onUnlock(call: () => void): void {
    this.#onUnlock.push(call)
  }

  unlock(): void {
    this.locked = false
    for (const call of this.#onUnlock) call()
  }

  state = () => (this.locked ? ('locked' as const) : ('ready' as const))
  isRecorded = (name: string) => this.#entries.has(name)
  get: Keychain['get'] = (name) =>
    Promise.resolve(this.locked ? fail('keychain-locked') : ok(this.#entries.get(name) ?? null))
  find = this.get
  getUnlessRefused = this.get
  askAgain = () => undefined
  set: Keychain['set'] = (name, secret) => {
    if (this.locked) return Promise.resolve(fail('keychain-locked'))
    this.#entries.set(name, secret.reveal())
    return Promise.resolve(ok(undefined))
  }
  delete: Keychain['delete'] = (name) => {
    this.#entries.delete(name)
    return Promise.resolve(ok(undefined))
  }
  sweep: Keychain['sweep'] = () => Promise.resolve()
  onState = () => undefined
  close = () => undefined
}
