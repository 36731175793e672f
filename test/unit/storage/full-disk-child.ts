/** Runs a connection on a small file system that is full. Prints what has happened as JSON. */
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fakeClock, settled } from '../outbox/clock.ts'
import { codeOf, must, startConnection } from '../outbox/rig.ts'
import { SimulatedService } from '../outbox/simulated-service.ts'

const folder = process.argv[2] ?? ''
const file = join(folder, 'c.db')
const ballast = join(folder, 'ballast')
const service = new SimulatedService()
const clock = fakeClock()
const start = () => startConnection({ service, clock, file })

function fill(): void {
  for (const size of [64 * 1024, 4096]) {
    try {
      for (;;) writeFileSync(ballast, Buffer.alloc(size), { flag: 'a' })
    } catch {
      // The disk is full.
    }
  }
}
const makeRoom = () => rmSync(ballast)

writeFileSync(ballast, Buffer.alloc(2_000 * 1024))
for (let n = 0; n < 400; n++) service.add(`n${String(n)}.example`)
let app = start()
must(await app.refresh.run())
// Closing moves all changes into the file itself, so the size of the file is known when the disk is filled.
await app.close()
app = start()
const keys = app.list().map(({ key }) => key)
service.unreachable = true
app.reach.hint(false)
await settled()
service.received.length = 0
const taken: string[] = []
let refusal: string | null = null
for (const [n, key] of keys.entries()) {
  if (n === 20) fill()
  refusal = codeOf(await app.outbox.update(key, { email: true }))
  if (refusal !== null) break
  taken.push(key)
}
const queued = app.outbox.counts().waiting

service.unreachable = false
app.reach.hint(true)
await clock.advance(10 * 60_000)
const full = { code: app.outbox.failure()?.code, sent: service.writes().length }

// The disk becomes full between a request and its answer.
makeRoom()
let filled = false
service.after = (operation) => {
  if (operation !== 'update' || filled) return
  filled = true
  fill()
}
await clock.advance(10 * 60_000)
await settled()
const unacknowledged = { code: app.outbox.failure()?.code, filled, waiting: app.outbox.counts().waiting }
const open = app.edits().filter(({ state }) => state === 'sending' || state === 'inDoubt').length
const applied = () => [...service.records.values()].filter(({ email }) => email === true).length
await app.close()
if (existsSync(ballast)) makeRoom()
app = start()
await clock.advance(60 * 60_000)
const left = app.outbox.counts().waiting
await app.close()

console.log(
  JSON.stringify({
    refusal,
    lost: taken.length - queued,
    taken: taken.length,
    full,
    unacknowledged,
    open,
    applied: applied(),
    sent: service.writes().length,
    waiting: left,
  }),
)
