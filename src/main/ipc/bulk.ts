import { fail, ok } from '../../shared/result.ts'
import { compareList } from '../bulk/compare-list.ts'
import { findAddresses } from '../bulk/find-addresses.ts'
import type { Connections } from '../connection/ports.ts'
import type { Handlers } from './registrar.ts'

type Group =
  | 'previewBulk'
  | 'unseenLists'
  | 'bulkUpdate'
  | 'takenDomains'
  | 'compareList'
  | 'findAddresses'
  | 'bulkCreate'
  | 'bulkDelete'
  | 'undoBulk'
  | 'listBulkWebsites'

/**
 * Returns the handlers of commands about several websites. `onBulkChange` is called when the shown bulk change has
 * changed but no edit has.
 */
export function bulkHandlers(connections: Connections, onBulkChange: () => void): Pick<Handlers, Group> {
  const bulk = () => connections.active()?.bulk
  const bulkChanges = () => connections.active()?.bulkChanges
  return {
    async previewBulk({ keys, change, page }) {
      const preview = await bulk()?.preview(keys, change, page)
      return preview === undefined ? fail('no-connection') : ok(preview)
    },
    async unseenLists({ keys }) {
      const unseen = await bulk()?.unseenLists(keys)
      return unseen === undefined ? fail('no-connection') : ok(unseen)
    },
    async bulkUpdate({ keys, change }) {
      const result = await bulk()?.apply(keys, change)
      return result === undefined ? fail('no-connection') : ok(result)
    },
    takenDomains: ({ domains }) => connections.active()?.outbox.taken(domains) ?? fail('no-connection'),
    compareList({ domains }) {
      const websites = connections.active()?.view.domains() ?? fail('no-connection')
      return websites.ok ? ok(compareList(domains, websites.value)) : websites
    },
    findAddresses({ lines }) {
      const view = connections.active()?.view
      return view === undefined ? fail('no-connection') : findAddresses(view, lines)
    },
    async bulkCreate({ drafts }) {
      const created = await bulkChanges()?.create(drafts)
      return created === undefined ? fail('no-connection') : ok(created)
    },
    async bulkDelete({ keys }) {
      const result = await bulkChanges()?.delete(keys)
      return result === undefined ? fail('no-connection') : ok(result)
    },
    async undoBulk({ bulkChange }) {
      const undos = connections.active()?.tags.undos
      const undone =
        (await bulkChanges()?.undo(bulkChange)) ?? (await bulk()?.undo(bulkChange)) ?? fail('no-connection')
      onBulkChange()
      if (!undone.ok) return undone
      const restored = undos?.get(bulkChange)?.() ?? ok(0)
      undos?.delete(bulkChange)
      return restored.ok ? ok({ ...undone.value, changed: Math.max(undone.value.changed, restored.value) }) : restored
    },
    listBulkWebsites({ page }) {
      const websites = bulkChanges()?.websites(page)
      return websites === undefined ? fail('no-connection') : ok(websites)
    },
  }
}
