import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fail, type Result } from '../../shared/result.ts'
import { openAppStore, restoreConnections, type AppStore } from './app.ts'
import { EXTENSION, notedConnections } from './connection-note.ts'
import { prepareFile } from './prepare.ts'
import { isDiskFull } from './disk-full.ts'

/** The app's own file as versions before the first release named it; those are left untouched. */
const UNRELEASED = 'siteward.sqlite'

/**
 * Opens the app's own file, and makes the folder of the connections' files. Where it was damaged, connections that were lost
 * with it are found by their files. Errors: `disk-full`, `storage`, `in-use`, `newer-version`.
 */
export function openAppData(folder: string): Result<AppStore> {
  const connections = join(folder, 'connections')
  const file = join(folder, `siteward${EXTENSION}`)
  try {
    mkdirSync(connections, { recursive: true })
    const known = readdirSync(connections).some((name) => name.endsWith(EXTENSION))
    const isFirst = !known && !existsSync(file)
    // It is small, so this takes no time.
    const prepared = prepareFile({ file, kind: 'app', known })
    if (!prepared.ok) return prepared
    const opened = openAppStore(file)
    if (opened.ok && opened.value.salvaged() !== null) restoreConnections(opened.value, notedConnections(connections))
    const unreleased = join(folder, UNRELEASED)
    if (opened.ok && isFirst && existsSync(unreleased)) {
      const none = { backupAt: null, websites: 0, edits: 0 }
      opened.value.noteRecovery({ why: 'unreleased', at: Date.now(), quarantined: unreleased, ...none })
    }
    return opened
  } catch (error) {
    return fail(isDiskFull(error) ? 'disk-full' : 'storage')
  }
}
