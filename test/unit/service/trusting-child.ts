import { Secret } from '../../../src/main/secrets/secret.ts'
import { createService } from '../../../src/main/service/client.ts'
import { createDispatcher } from '../../../src/main/service/dispatcher.ts'

// Asks an address once, and says what became of it: which authorities are trusted is settled when a process starts.
const [address = ''] = process.argv.slice(2)
const dispatcher = createDispatcher()
const answer = await createService({ address, key: () => new Secret('key'), dispatcher }).get('7')
process.stdout.write(answer.outcome === 'applied' ? 'applied' : answer.error.code)
await dispatcher.destroy()
