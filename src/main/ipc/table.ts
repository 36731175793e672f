import type { EventPayload } from '../../preload/bridge.ts'
import { comparableDomain } from '../../shared/domain.ts'
import { settingsForNewWebsite } from '../../shared/preset.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import type { TablePage, TableResult, TableSummary } from '../../shared/table.ts'
import { compareTable, type ComparedTable } from '../bulk/table/compare-table.ts'
import type { ReadTable, Table } from '../bulk/table/read-table.ts'
import type { Connections } from '../connection/ports.ts'
import type { OpenConnection } from '../connection/open-connection.ts'
import type { FileDialogs } from '../shell/chosen-files.ts'
import { typedHandlers } from './handlers.ts'

export interface TablePorts {
  connections: Pick<Connections, 'active'>
  files: Pick<FileDialogs, 'openTable'>
  readTable: ReadTable
  /** The total is twice the number of rows, because each row is read and then compared. */
  onProgress: (progress: EventPayload<'importing'>) => void
}

const PAGE_SIZE = 50

/** The page never learns the path of the file. */
export function tableHandlers({ connections, files, readTable, onProgress }: TablePorts) {
  /** The table that the user looks at, until it is applied or closed. */
  let opened: { connection: OpenConnection; table: Table; compared: ComparedTable } | null = null

  async function compare(connection: OpenConnection, table: Table): Promise<Result<TableSummary>> {
    const own = connection.tags.list()
    if (!own.ok) return own
    const presets = connection.presets.list()
    if (!presets.ok) return presets
    const preset = presets.value.find(({ forNew }) => forNew)
    const compared = await compareTable(
      connection.view,
      table,
      (done, total) => onProgress({ done: total + done, total: 2 * total }),
      own.value.tags.map(({ name }) => name),
      preset && settingsForNewWebsite(preset),
    )
    if (!compared.ok) return compared
    // The file was chosen for the connection that was active when the dialog opened.
    if (connections.active() !== connection) return fail('no-connection')
    opened = { connection, table, compared: compared.value }
    return ok(summaryOf(compared.value))
  }

  return typedHandlers({
    async openTable() {
      const connection = connections.active()
      if (connection === null) return fail('no-connection')
      const bytes = await files.openTable()
      // If the user cancels, the window keeps showing the table.
      if (bytes === null) return ok(null)
      opened = null
      if (!bytes.ok) return bytes
      const table = await readTable(bytes.value, (done, total) => onProgress({ done, total: 2 * total }))
      return table.ok ? compare(connection, table.value) : table
    },
    compareTable: async () => (opened === null ? fail('edit-gone') : compare(opened.connection, opened.table)),
    listTable: ({ group, page }) => (opened === null ? fail('edit-gone') : ok(pageOf(opened.compared, group, page))),
    async applyTable() {
      const table = opened
      if (table === null) return fail('edit-gone')
      const { connection, compared } = table
      if (connections.active() !== connection) return fail('no-connection')
      const applied = await applyCompared(connection, compared)
      // Another table may have been opened since.
      if (applied.ok && opened === table) opened = null
      return applied
    },
    closeTable() {
      opened = null
      return ok(undefined)
    },
  })
}

/** One undo reverts tags, notes and edits. Errors: `invalid-input` for too many tags, `disk-full`, `storage`, `newer-version`. */
async function applyCompared(
  { tags, bulk }: OpenConnection,
  { changes, additions }: ComparedTable,
): Promise<Result<TableResult>> {
  const noted = tags.change([
    ...changes.flatMap(({ domain, local }) => (local ? [{ domain, to: local.to }] : [])),
    ...additions.flatMap(({ draft, local }) => (local ? [{ domain: comparableDomain(draft.domain), to: local }] : [])),
  ])
  if (!noted.ok) return noted
  const sent = changes.filter(({ to }) => Object.keys(to).length > 0)
  const local = noted.value.after.length > 0 ? noted.value : undefined
  const applied = await bulk.applyTable({ changes: sent, additions, local })
  if (!applied.ok) {
    tags.restore(noted.value)
    return applied
  }
  const { unused, ...result } = applied.value
  // Restores the tags and notes of refused rows.
  if (unused !== undefined) tags.restore(unused)
  return ok({ ...result, local: changes.length - sent.length })
}

const summaryOf = ({ rows, same, ignored, changes, additions, problems }: ComparedTable): TableSummary => ({
  ...{ rows, same, ignored },
  ...{ changes: changes.length, additions: additions.length, problems: problems.length },
  turnsOnReports: changes.some(({ to }) => to.email === true) || additions.some(({ draft }) => draft.email),
})

function pageOf(compared: ComparedTable, group: keyof Omit<TablePage, 'pages'>, page: number): TablePage {
  const from = (page - 1) * PAGE_SIZE
  return {
    ...{ changes: [], additions: [], problems: [] },
    [group]: compared[group].slice(from, from + PAGE_SIZE),
    pages: Math.max(1, Math.ceil(compared[group].length / PAGE_SIZE)),
  }
}
