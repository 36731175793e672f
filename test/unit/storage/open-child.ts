/** Opens a file in its own process and prints the result. With `hold` it writes, and keeps the file open until it is killed. */
import { prepareFile } from '../../../src/main/storage/prepare.ts'
import { openStore } from '../../../src/main/storage/store.ts'
import { ok } from '../../../src/shared/result.ts'
import { codeOf } from '../outbox/rig.ts'

const [file = '', hold] = process.argv.slice(2)
const prepared = prepareFile({ file, kind: 'connection', hadData: true })
const opened = openStore(file)
if (hold !== undefined && opened.ok) {
  opened.value.write(() => ok(opened.ok && opened.value.addWebsite('held', 'held.example')))
  setInterval(() => undefined, 60_000)
} else if (opened.ok) opened.value.close()
console.log(JSON.stringify({ prepared: codeOf(prepared), opened: codeOf(opened) }))
