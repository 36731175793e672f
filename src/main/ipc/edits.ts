import { fail } from '../../shared/result.ts'
import type { Connections } from '../connection/connections.ts'
import type { Handlers } from './registrar.ts'

type HandledCommand =
  | 'listEdits'
  | 'getLastSave'
  | 'undoEdit'
  | 'discardEdit'
  | 'sendNow'
  | 'readConflict'
  | 'resolveEdit'
  | 'listActivity'
  | 'getVersion'
  | 'revertEdit'
  | 'dismissSalvage'
  | 'dismissBulkChange'
  | 'activitySeen'

/**
 * Returns the handlers of commands about edits. `onState` is called when the app's state has changed, `onBulkChange`
 * when the shown bulk change has.
 */
export function editHandlers(
  connections: Connections,
  onState: () => void,
  onBulkChange: () => void,
): Pick<Handlers, HandledCommand> {
  const outbox = () => connections.active()?.outbox
  return {
    listEdits: (query) => outbox()?.list(query) ?? fail('no-connection'),
    getLastSave: ({ website }) => outbox()?.lastSave(website) ?? fail('no-connection'),
    undoEdit: ({ id, agreed }) => outbox()?.undo(id, agreed) ?? fail('no-connection'),
    discardEdit: ({ id }) => outbox()?.discard(id) ?? fail('no-connection'),
    sendNow: ({ id }) => outbox()?.sendNow(id) ?? fail('no-connection'),
    readConflict: ({ id }) => outbox()?.readAgain(id) ?? fail('no-connection'),
    resolveEdit: ({ id, resolution }) => outbox()?.resolve(id, resolution) ?? fail('no-connection'),
    listActivity: (query) => outbox()?.activity(query) ?? fail('no-connection'),
    getVersion: ({ website, n, side }) => outbox()?.version(website, n, side) ?? fail('no-connection'),
    revertEdit: ({ id, action, password }) => outbox()?.revert(id, action, password) ?? fail('no-connection'),
    activitySeen() {
      const seen = connections.active()?.activitySeen() ?? fail('no-connection')
      if (seen.ok) onState()
      return seen
    },
    dismissBulkChange() {
      const dismissed = connections.active()?.outcome.dismiss() ?? fail('no-connection')
      if (dismissed.ok) onBulkChange()
      return dismissed
    },
    dismissSalvage() {
      const dismissed = connections.dismissSalvage()
      if (dismissed.ok) onState()
      return dismissed
    },
  }
}
