import { fail, ok } from '../../shared/result.ts'
import type { Connections } from '../connection/connections.ts'
import type { PendingFiles } from '../shell/pending-files.ts'
import type { Handlers } from './registrar.ts'

/** The queue into a file, and out of one. The page never learns where the file is. */
export function transferHandlers(
  connections: Connections,
  files: PendingFiles,
): Pick<Handlers, 'exportEdits' | 'importEdits'> {
  return {
    async exportEdits() {
      const connection = connections.active()
      if (connection === null) return fail('no-connection')
      const path = await files.askWhere()
      if (path === null) return ok({ saved: false, edits: 0, secrets: 0 })
      const exported = await connection.outbox.exportQueue()
      if (!exported.ok) return exported
      const { text, edits, secrets } = exported.value
      const written = await files.write(path, text)
      return written.ok ? ok({ saved: true, edits, secrets }) : written
    },
    async importEdits() {
      const connection = connections.active()
      if (connection === null) return fail('no-connection')
      const path = await files.askWhich()
      if (path === null) return ok(null)
      const read = await files.read(path)
      if (!read.ok) return read
      // Another one may be there by now, and this file isn't its own.
      return connections.active() === connection ? connection.outbox.importQueue(read.value) : fail('no-connection')
    },
  }
}
