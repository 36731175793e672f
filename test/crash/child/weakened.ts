import Database from 'better-sqlite3'
import type { Sealer } from '../../../src/main/outbox/ports.ts'
import { ok } from '../../../src/shared/result.ts'
import type { Weakness } from '../protocol.ts'

/** Breaks a guarantee of the database on purpose. The tests must notice it. */
export function weakenDatabase(weakness: Weakness | null): void {
  const level = weakness === 'sync-off' ? 'OFF' : weakness === 'sync-normal' ? 'NORMAL' : null
  if (level === null) return
  const { pragma } = Database.prototype
  Database.prototype.pragma = function (this: Database.Database, text, options) {
    return pragma.call(this, text.replace(/^synchronous = .*/, `synchronous = ${level}`), options)
  }
}

export const weakenSealer = (sealer: Sealer, weakness: Weakness | null): Sealer =>
  weakness !== 'password-in-clear'
    ? sealer
    : {
        seal: (plain) => Promise.resolve(ok(Buffer.from(plain))),
        unseal: (sealed) => Promise.resolve(ok(Buffer.from(sealed).toString())),
      }
