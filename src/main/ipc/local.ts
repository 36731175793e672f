import { fail } from '../../shared/result.ts'
import type { Connections } from '../connection/ports.ts'
import type { Handlers } from './registrar.ts'

type Group = 'listViews' | 'saveView' | 'removeView'

/** Returns the handlers of commands about what the user keeps on this computer only, for the active connection. */
export function localHandlers(connections: Pick<Connections, 'active'>): Pick<Handlers, Group> {
  const views = () => connections.active()?.savedViews
  return {
    listViews: () => views()?.list() ?? fail('no-connection'),
    saveView: (draft) => views()?.save(draft) ?? fail('no-connection'),
    removeView: ({ id }) => views()?.remove(id) ?? fail('no-connection'),
  }
}
