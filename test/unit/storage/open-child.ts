/**
 * Opens a file in a process, and prints the result.
 * With `hold`, it also writes, and keeps the file open until it is killed.
 * With `nobody`, it first gives up the rights of root.
 */
import { checkOrRestoreFile } from '../../../src/main/storage/prepare.ts'
import { openStore } from '../../../src/main/storage/store.ts'
import { ok } from '../../../src/shared/result.ts'
import { codeOf } from '../outbox/rig.ts'

const [file = '', way] = process.argv.slice(2)
if (way === 'nobody' && process.getuid?.() === 0) {
  // Loads the driver first, because another user may not be able to read the project's folder.
  openStore(':memory:')
  process.setgroups?.([])
  process.setgid?.(65_534)
  process.setuid?.(65_534)
}
const prepared = checkOrRestoreFile({ file, kind: 'connection', hadData: true })
const opened = openStore(file)
if (way === 'hold' && opened.ok) {
  opened.value.write(() => ok(opened.ok && opened.value.addWebsite('held', 'held.example')))
  setInterval(() => undefined, 60_000)
} else if (opened.ok) opened.value.close()
console.log(JSON.stringify({ prepared: codeOf(prepared), opened: codeOf(opened) }))
