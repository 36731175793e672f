import { Secret } from '../../../src/main/secrets/secret.ts'
import { createService } from '../../../src/main/service/client.ts'
import { certificatesFromEnvironment, createDispatcher } from '../../../src/main/service/dispatcher.ts'

// Sends one request and prints its outcome and the certificates that the environment adds. Needs its own process, as the trusted authorities are read at start.
const [address = ''] = process.argv.slice(2)
const dispatcher = createDispatcher()
const answer = await createService({ address, key: () => new Secret('key'), dispatcher }).get('7')
const outcome = answer.outcome === 'applied' ? 'applied' : answer.error.code
process.stdout.write(JSON.stringify({ outcome, certificates: certificatesFromEnvironment() }))
await dispatcher.destroy()
