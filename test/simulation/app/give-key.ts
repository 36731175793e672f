import { accountFingerprintOf } from '../../../src/main/connection/open-connection.ts'
import { probe, compareAccount } from '../../../src/main/connection/probe.ts'
import { Secret } from '../../../src/main/secrets/secret.ts'
import { createServiceOver } from '../../../src/main/service/client.ts'
import type { App } from './app.ts'
import { createSimulatedExchange } from './exchange.ts'
import type { Network } from '../service/network.ts'

/**
 * Enters another API key as the user would, and returns whether it was accepted. As in `connections.ts`, only a key of the same
 * account is accepted. `isOurs`: the user's answer if the service does not show whose key it is.
 */
export async function giveKey(app: App, network: Network, text: string, isOurs: boolean): Promise<boolean> {
  const key = new Secret(text)
  const turn = app.key.nextEntry()
  const service = createServiceOver(
    createSimulatedExchange(network, app.appRun, `${app.appRun.name}, another key`),
    () => key,
  )
  const knownBy = accountFingerprintOf(app)
  const found = await probe(service)
  if (!found.ok) return false
  const same = await compareAccount(service, found.value, knownBy)
  if (!same.ok || !(same.value === 'same' || (same.value === 'unclear' && isOurs))) return false
  const kept = await app.key.replace(key, 'keychain', turn)
  if (!kept.ok || !app.appRun.alive) return false
  app.keyChanged()
  return true
}
