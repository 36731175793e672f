import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fail, type Result } from '../../shared/result.ts'
import { openAppStore, restoreConnections, type AppStore } from './app.ts'
import { notedConnections } from './connection-note.ts'
import { prepareFile } from './prepare.ts'
import { isDiskFull } from './disk-full.ts'

/**
 * The app's own file, and the folder of its connections'. Where it was damaged, connections that were lost with it are
 * found by their files. Errors: `disk-full`, `storage`, `in-use`, `newer-version`.
 */
export function openAppData(folder: string): Result<AppStore> {
  const connections = join(folder, 'connections')
  const file = join(folder, 'siteward.sqlite')
  try {
    mkdirSync(connections, { recursive: true })
    // It's small, so nothing waits for long.
    const prepared = prepareFile({ file, kind: 'app', known: readdirSync(connections).length > 0 })
    if (!prepared.ok) return prepared
    const opened = openAppStore(file)
    if (opened.ok && opened.value.salvaged() !== null) restoreConnections(opened.value, notedConnections(connections))
    return opened
  } catch (error) {
    return fail(isDiskFull(error) ? 'disk-full' : 'storage')
  }
}
