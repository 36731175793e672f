import Database from 'better-sqlite3'
import type { Sealer } from '../../../src/main/outbox/ports.ts'
import { ok } from '../../../src/shared/result.ts'
import type { Weakness } from '../protocol.ts'

/** Weakens a guarantee of the database in this process, to check that the tests notice. */
export function weakenDatabase(weakness: Weakness | null): void {
  const level = weakness === 'sync-off' ? 'OFF' : weakness === 'sync-normal' ? 'NORMAL' : null
  if (level === null) return
  const { pragma } = Database.prototype
  Database.prototype.pragma = function (this: Database.Database, text, options) {
    return pragma.call(this, text.replace(/^synchronous = .*/, `synchronous = ${level}`), options)
  }
}

/** Returns the sealer, or one that does not encrypt if that is the weakness. */
export const weakenSealer = (sealer: Sealer, weakness: Weakness | null): Sealer =>
  weakness !== 'password-in-clear'
    ? sealer
    : {
        seal: (plain) => Promise.resolve(ok(Buffer.from(plain))),
        unseal: (sealed) => Promise.resolve(ok(Buffer.from(sealed).toString())),
      }
