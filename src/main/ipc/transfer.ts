import type { EventPayload } from '../../preload/bridge.ts'
import { fail, ok } from '../../shared/result.ts'
import type { Connections } from '../connection/connections.ts'
import type { OpenConnection } from '../connection/open-connection.ts'
import { activityFile } from '../replica/activity-file.ts'
import { formatListFile } from '../replica/list-file.ts'
import type { FileDialogs } from '../shell/chosen-files.ts'
import { forActiveConnection, typedHandlers } from './handlers.ts'

/** The page never learns the paths of the files. `onProgress`: called during a long export or import. */
export function transferHandlers(
  connections: Connections,
  files: FileDialogs,
  onProgress: (event: 'exporting' | 'importing', progress: EventPayload<'exporting'>) => void,
) {
  /** Number of times that the user has canceled an export of the list. A running export stops when it changes. */
  let cancelCount = 0
  /** The imported file until the user confirms it. */
  let opened: { connection: OpenConnection; text: string } | null = null
  const active = forActiveConnection(connections)
  return typedHandlers({
    exportEdits: active(async ({ outbox }) => {
      const path = await files.askSavePath('changes')
      if (path === null) return ok({ saved: false, edits: 0, secrets: 0 })
      const exported = await outbox.exportQueue()
      if (!exported.ok) return exported
      const { text, edits, secrets } = exported.value
      const written = await files.write(path, text)
      return written.ok ? ok({ saved: true, edits, secrets }) : written
    }),
    exportWebsites: active(async (connection, { format, chosen, ...query }) => {
      const path = await files.askSavePath(format === 'json' ? 'json' : 'csv')
      if (path === null) return ok({ saved: false, websites: 0 })
      // The active connection may have changed while the dialog was open.
      if (connections.active() !== connection) return fail('no-connection')
      const before = cancelCount
      const own = connection.tags.list()
      if (!own.ok) return own
      const includeLocal = own.value.tags.length > 0 || own.value.hasNotes
      const list = await formatListFile(connection.view, { format, chosen, query, includeLocal }, (done, total) => {
        onProgress('exporting', { done, total })
        return cancelCount === before
      })
      if (!list.ok) return list
      if (list.value === null) return ok({ saved: false, websites: 0 })
      const { pieces, websiteCount: websites } = list.value
      const written = await files.write(path, pieces)
      return written.ok ? ok({ saved: true, websites }) : written
    }),
    exportActivity: active(async (connection, filter) => {
      const path = await files.askSavePath('activity')
      if (path === null) return ok({ saved: false, entries: 0 })
      if (connections.active() !== connection) return fail('no-connection')
      const file = await activityFile(connection.outbox, filter)
      if (!file.ok) return file
      const written = await files.write(path, file.value.pieces)
      return written.ok ? ok({ saved: true, entries: file.value.entries }) : written
    }),
    cancelExport() {
      cancelCount += 1
      return ok(undefined)
    },
    openList: async () => (await files.openList()) ?? ok(null),
    async importEdits() {
      opened = null
      const connection = connections.active()
      if (connection === null) return fail('no-connection')
      const read = await files.openQueue()
      if (read === null) return ok(null)
      if (!read.ok) return read
      const text = read.value
      const summary = await connection.outbox.summarizeImport(text, (done, total) =>
        onProgress('importing', { done, total }),
      )
      // The file was chosen for the connection that was active when the dialog opened.
      if (connections.active() !== connection) return fail('no-connection')
      if (summary.ok) opened = { connection, text }
      return summary
    },
    async finishImport({ confirmed }) {
      const file = opened
      opened = null
      if (!confirmed || file === null) return ok(null)
      if (connections.active() !== file.connection) return fail('no-connection')
      return file.connection.outbox.importQueue(file.text, (done, total) => onProgress('importing', { done, total }))
    },
  })
}
