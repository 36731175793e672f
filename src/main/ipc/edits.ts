import { fail } from '../../shared/result.ts'
import type { Connections } from '../connection/connections.ts'
import type { Handlers } from './registrar.ts'

type Group = 'listEdits' | 'undoEdit' | 'discardEdit' | 'sendNow'

/** The commands about edits that wait. */
export function editHandlers(connections: Connections): Pick<Handlers, Group> {
  const outbox = () => connections.active()?.outbox
  return {
    listEdits: (query) => outbox()?.list(query) ?? fail('no-connection'),
    undoEdit: ({ id }) => outbox()?.undo(id) ?? fail('no-connection'),
    discardEdit: ({ id }) => outbox()?.discard(id) ?? fail('no-connection'),
    sendNow: ({ id }) => outbox()?.sendNow(id) ?? fail('no-connection'),
  }
}
