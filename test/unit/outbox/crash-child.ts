/**
 * Runs the parts of the app in a process that can be killed. Prints "all sent" when no edit is pending.
 * Arguments: the database, the service's address, and optionally `create`, `update` or `delete` with a domain. The API key comes
 * from the environment.
 */
import { createService } from '../../../src/main/service/client.ts'
import { createDispatcher } from '../../../src/main/service/dispatcher.ts'
import { Secret } from '../../../src/main/secrets/secret.ts'
import { draft, must, startConnection } from './rig.ts'

const [file = '', address = '', command, domain = ''] = process.argv.slice(2)
const key = new Secret(process.env['SAMPLE_KEY'] ?? '')
const app = startConnection({
  file,
  service: createService({ address, key: () => key, dispatcher: createDispatcher() }),
  clock: {
    wall: () => Date.now(),
    monotonic: () => performance.now(),
    after(ms, call) {
      const timer = setTimeout(call, ms)
      return () => clearTimeout(timer)
    },
    soon(call) {
      const turn = setImmediate(call)
      return () => clearImmediate(turn)
    },
  },
})

app.outbox.onChange(() => app.outbox.counts().waiting === 0 && console.log('all sent'))

if (command === undefined) {
  if (app.outbox.counts().waiting === 0) console.log('all sent')
} else {
  must(await app.refresh.run())
  if (command === 'create') must(await app.outbox.create(draft(domain)))
  if (command === 'update') must(await app.outbox.update(app.keyOf(domain), { email: true }))
  if (command === 'delete') {
    must(await app.outbox.delete(app.keyOf(domain)))
    must(app.outbox.sendNow())
  }
}
