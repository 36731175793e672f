import { compareWith } from '../bulk/profiles.ts'
import { fail } from '../../shared/result.ts'
import type { Connections } from '../connection/ports.ts'
import type { Handlers } from './registrar.ts'

type Group = 'listProfiles' | 'saveProfile' | 'removeProfile' | 'compareProfile'

/** The commands about profiles: each connection has its own. */
export function profileHandlers(connections: Connections): Pick<Handlers, Group> {
  const profiles = () => connections.active()?.profiles
  return {
    listProfiles: () => profiles()?.list() ?? fail('no-connection'),
    saveProfile: (asked) => profiles()?.save(asked) ?? fail('no-connection'),
    removeProfile: ({ id }) => profiles()?.remove(id) ?? fail('no-connection'),
    compareProfile: ({ id, page }) => {
      const connection = connections.active()
      return connection === null ? fail('no-connection') : compareWith(connection, id, page)
    },
  }
}
