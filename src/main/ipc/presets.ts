import { compareWithPreset } from '../bulk/presets.ts'
import type { Connections } from '../connection/ports.ts'
import { forActiveConnection, typedHandlers } from './handlers.ts'

export function presetHandlers(connections: Connections) {
  const active = forActiveConnection(connections)
  return typedHandlers({
    listPresets: active(({ presets }) => presets.list()),
    savePreset: active(({ presets }, draft) => presets.save(draft)),
    removePreset: active(({ presets }, { id }) => presets.remove(id)),
    comparePreset: active((connection, { id, page }) => compareWithPreset(connection, id, page)),
  })
}
