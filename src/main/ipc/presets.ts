import { compareWith } from '../bulk/presets.ts'
import { fail } from '../../shared/result.ts'
import type { Connections } from '../connection/ports.ts'
import type { Handlers } from './registrar.ts'

type HandledCommand = 'listPresets' | 'savePreset' | 'removePreset' | 'comparePreset'

/** Returns the handlers of commands about the presets of the active connection. */
export function presetHandlers(connections: Connections): Pick<Handlers, HandledCommand> {
  const presets = () => connections.active()?.presets
  return {
    listPresets: () => presets()?.list() ?? fail('no-connection'),
    savePreset: (draft) => presets()?.save(draft) ?? fail('no-connection'),
    removePreset: ({ id }) => presets()?.remove(id) ?? fail('no-connection'),
    comparePreset: ({ id, page }) => {
      const connection = connections.active()
      return connection === null ? fail('no-connection') : compareWith(connection, id, page)
    },
  }
}
