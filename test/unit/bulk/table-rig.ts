import { compareTable, type ComparedTable } from '../../../src/main/bulk/table/compare-table.ts'
import { readTable } from '../../../src/main/bulk/table/read-table.ts'
import { formatListFile, type ListFileRequest } from '../../../src/main/replica/list-file.ts'
import type { ListFormat } from '../../../src/shared/list-settings.ts'
import { ok } from '../../../src/shared/result.ts'
import type { WebsiteView } from '../../../src/shared/website.ts'
import { must } from '../outbox/rig.ts'

/** Returns the website `site-<n>.example` of the list. Values that are not in `more` are the service's defaults. */
export const aWebsite = (n: number, more: Partial<WebsiteView> = {}): WebsiteView => ({
  ...{ key: `w${n}`, id: String(n), domain: `site-${n}.example`, state: 'synced', pending: [], extra: {} },
  ...{ privacy: 1, password: false, email: false, exclude_bots: true, exclude_ips: [], exclude_params: [] },
  ...more,
})

/** Returns a view of exactly these websites, with the functions that an export and a table need. */
export const viewOf = (websites: readonly WebsiteView[]) => ({
  keys: () => Promise.resolve(ok(websites.map(({ key }) => key))),
  websites: (keys: readonly string[]) => ok(websites.filter(({ key }) => keys.includes(key))),
  lookUp: (wanted: readonly { id: string; domain: string }[]) =>
    ok(wanted.map(({ id, domain }) => websites.filter((one) => (id === '' ? one.domain === domain : one.id === id)))),
})

export async function exportedTable(websites: readonly WebsiteView[], format: ListFormat = 'csv'): Promise<string> {
  const query: ListFileRequest['query'] = { search: '', filters: [], sort_by: 'id', sort: 'desc' }
  const file = must(await formatListFile(viewOf(websites), { format, query, chosen: { all: true, keys: [] } }))
  return file?.pieces.join('') ?? ''
}

export async function imported(table: string | Uint8Array, websites: readonly WebsiteView[]): Promise<ComparedTable> {
  const bytes = typeof table === 'string' ? Buffer.from(table) : table
  return must(await compareTable(viewOf(websites), must(readTable(bytes))))
}
