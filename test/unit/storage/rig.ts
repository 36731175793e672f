import Database from 'better-sqlite3'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { openStore, type ConnectionStore } from '../../../src/main/storage/store.ts'
import { ok } from '../../../src/shared/result.ts'
import type { WebsiteRecord } from '../../../src/shared/website.ts'
import { must } from '../outbox/rig.ts'

export let folder: string
export let file: string
export let store: ConnectionStore

/** A connection's file for each test, in a folder of its own. */
export function useStore(): void {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'siteward-'))
    file = join(folder, 'connection.db')
    store = must(openStore(file))
  })
  afterEach(() => {
    store.close()
    rmSync(folder, { recursive: true })
  })
}

/** As the next start finds it; `meanwhile`: done to the file while nobody has it open. */
export function reopen(meanwhile: () => void = () => undefined): void {
  store.close()
  meanwhile()
  store = must(openStore(file))
}

/** Writes past the store, as another version or a failing disk would. */
export const tamper = (sql: string): void =>
  reopen(() => {
    const db = new Database(file)
    db.exec(sql)
    db.close()
  })

export const write = (work: () => void) => must(store.write(() => ok(work())))

export const record = (id: string, domain = `${id}.example`): WebsiteRecord => ({ id, domain, privacy: 1, extra: {} })

export const domains = (sort_by: 'id' | 'domain', sort: 'asc' | 'desc', search = '') =>
  store.websites({ search, sort_by, sort }, 0, 100).map(({ domain }) => domain)
