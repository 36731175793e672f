import type { Connections } from '../connection/connections.ts'
import { forActiveConnection, typedHandlers } from './handlers.ts'

/**
 * The handlers for queued edits and the activity. Those that create, update and delete websites are in websites.ts.
 * `onState`: called after the activity was seen or a recovery dismissed. `onBulkChange`: after a bulk change was dismissed.
 */
export function outboxHandlers(connections: Connections, onState: () => void, onBulkChange: () => void) {
  const active = forActiveConnection(connections)
  return typedHandlers({
    listEdits: active(({ outbox }, query) => outbox.list(query)),
    getLastSave: active(({ outbox }, { website }) => outbox.lastSave(website)),
    undoEdit: active(({ outbox }, { id, agreed, whole }) => outbox.undo(id, agreed, whole)),
    discardEdit: active(({ outbox }, { id }) => outbox.discard(id)),
    sendNow: active(({ outbox }, { id }) => outbox.sendNow(id)),
    readConflict: active(({ outbox }, { id }) => outbox.readAgain(id)),
    resolveEdit: active(({ outbox }, { id, resolution }) => outbox.resolve(id, resolution)),
    listActivity: active(({ outbox }, query) => outbox.activity(query)),
    getVersion: active(({ outbox }, { website, n, side }) => outbox.version(website, n, side)),
    revertEdit: active(({ outbox }, { id, action, password }) => outbox.revert(id, action, password)),
    activitySeen: active((connection) => {
      const seen = connection.activitySeen()
      if (seen.ok) onState()
      return seen
    }),
    dismissBulkChange: active(({ outcome }) => {
      const dismissed = outcome.dismiss()
      if (dismissed.ok) onBulkChange()
      return dismissed
    }),
    dismissSalvage() {
      const dismissed = connections.dismissSalvage()
      if (dismissed.ok) onState()
      return dismissed
    },
  })
}
