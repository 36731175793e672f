import Database from 'better-sqlite3'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { openStore, type ConnectionStore } from '../../../src/main/storage/store.ts'
import { ok } from '../../../src/shared/result.ts'
import type { WebsiteRecord } from '../../../src/shared/website.ts'
import { databaseFolder } from '../../database-folder.ts'
import { must } from '../outbox/rig.ts'

export let folder: string
export let file: string
export let store: ConnectionStore

export function useStore(): void {
  beforeEach(() => {
    folder = databaseFolder()
    file = join(folder, 'connection.db')
    store = must(openStore(file))
  })
  afterEach(() => {
    store.close()
    rmSync(folder, { recursive: true })
  })
}

/** Closes the file, calls `meanwhile`, and opens the file as the next start does. */
export function reopen(meanwhile: () => void = () => undefined): void {
  store.close()
  meanwhile()
  store = must(openStore(file))
}

/** Changes the file with SQL, as another version or a failing disk does. */
export const tamper = (sql: string): void =>
  reopen(() => {
    const db = new Database(file)
    db.exec(sql)
    db.close()
  })

export const write = (work: () => void) => must(store.write(() => ok(work())))

/** Returns a record of the service. Its only setting is the privacy. */
export const record = (id: string, domain = `${id}.example`): WebsiteRecord => ({ id, domain, privacy: 1, extra: {} })

/** Returns the domains of the first 100 websites that match the search, in the given order. */
export const domains = (sort_by: 'id' | 'domain', sort: 'asc' | 'desc', search = '') =>
  store.websites({ search, sort_by, sort }, 0, 100).map(({ domain }) => domain)
