import { compareWith } from '../bulk/presets.ts'
import type { Connections } from '../connection/ports.ts'
import { forActive, handlersOf } from './handlers.ts'

/** Returns the handlers of commands about the presets of the active connection. */
export function presetHandlers(connections: Connections) {
  const active = forActive(connections)
  return handlersOf({
    listPresets: active(({ presets }) => presets.list()),
    savePreset: active(({ presets }, draft) => presets.save(draft)),
    removePreset: active(({ presets }, { id }) => presets.remove(id)),
    comparePreset: active((connection, { id, page }) => compareWith(connection, id, page)),
  })
}
