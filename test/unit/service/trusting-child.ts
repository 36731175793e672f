import { Secret } from '../../../src/main/secrets/secret.ts'
import { createService } from '../../../src/main/service/client.ts'
import { certificatesFromEnvironment, createDispatcher } from '../../../src/main/service/dispatcher.ts'

// Sends one request, and prints its outcome and the certificates that the environment adds. Runs in its own process, because Node
// reads the trusted authorities at its start.
const [address = ''] = process.argv.slice(2)
const dispatcher = createDispatcher()
const answer = await createService({ address, key: () => new Secret('key'), dispatcher }).get('7')
const outcome = answer.outcome === 'applied' ? 'applied' : answer.error.code
process.stdout.write(JSON.stringify({ outcome, certificates: certificatesFromEnvironment() }))
await dispatcher.destroy()
