import { fail, ok } from '../../shared/result.ts'
import { compareList } from '../bulk/compare-list.ts'
import { copyWebsites, previewCopy } from '../bulk/copy.ts'
import { findAddresses } from '../bulk/find-addresses.ts'
import type { OpenConnection } from '../connection/open-connection.ts'
import type { Connections } from '../connection/ports.ts'
import type { EventPayload } from '../../preload/bridge.ts'
import type { Handlers } from './registrar.ts'

type HandledCommand =
  | 'previewBulk'
  | 'unseenLists'
  | 'bulkUpdate'
  | 'takenDomains'
  | 'compareList'
  | 'findAddresses'
  | 'bulkCreate'
  | 'bulkDelete'
  | 'undoBulk'
  | 'previewCopy'
  | 'copyWebsites'
  | 'listBulkWebsites'

/**
 * Returns the handlers of commands about several websites. `onBulkChange` is called when the shown bulk change has
 * changed but no edit has, `onProgress` during a long bulk change.
 */
export function bulkHandlers(
  connections: Connections,
  onBulkChange: () => void,
  onProgress: (progress: EventPayload<'changing'>) => void,
): Pick<Handlers, HandledCommand> {
  const bulk = () => connections.active()?.bulk
  const bulkChanges = () => connections.active()?.bulkChanges
  const open = (id: string): OpenConnection | null => connections.all().find(({ record }) => record.id === id) ?? null
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
      const result = await bulk()?.apply(keys, change, (done, total) => onProgress({ done, total }))
      return result === undefined ? fail('no-connection') : ok(result)
    },
    takenDomains: ({ domains }) => connections.active()?.outbox.takenDomains(domains) ?? fail('no-connection'),
    compareList({ domains }) {
      const websites = connections.active()?.view.domains() ?? fail('no-connection')
      return websites.ok ? ok(compareList(domains, websites.value)) : websites
    },
    async findAddresses({ lines }) {
      const active = connections.active()
      if (active === null) return fail('no-connection')
      const found = await findAddresses(active.view, lines)
      if (!found.ok) return found
      const others: { account: string; count: number }[] = []
      for (const { record, view } of connections.all()) {
        const there = record.id === active.record.id ? null : await findAddresses(view, lines)
        const count = there?.ok ? there.value.keys.length + there.value.leftOut : 0
        if (count > 0) others.push({ account: record.id, count })
      }
      return ok({ ...found.value, others })
    },
    async bulkCreate({ drafts }) {
      const created = await bulkChanges()?.create(drafts)
      return created === undefined ? fail('no-connection') : ok(created)
    },
    async bulkDelete({ keys }) {
      const result = await bulkChanges()?.delete(keys)
      return result === undefined ? fail('no-connection') : ok(result)
    },
    async undoBulk({ bulkChange, account, agreed }) {
      const connection = account === undefined ? connections.active() : open(account)
      const undone =
        (await connection?.bulkChanges.undo(bulkChange, agreed)) ??
        (await connection?.bulk.undo(bulkChange, agreed)) ??
        fail('no-connection')
      onBulkChange()
      if (!undone.ok) return undone
      const { kept, ...result } = undone.value
      const restored = connection?.tags.undo(bulkChange, kept) ?? ok(0)
      return restored.ok ? ok({ ...result, local: restored.value }) : restored
    },
    async previewCopy({ keys, account }) {
      const [source, target] = [connections.active(), open(account)]
      return source === null || target === null ? fail('no-connection') : previewCopy(source, target, keys)
    },
    async copyWebsites({ keys, account, protectedAs }) {
      const [source, target] = [connections.active(), open(account)]
      if (source === null || target === null) return fail('no-connection')
      return copyWebsites(source, target, keys, protectedAs)
    },
    listBulkWebsites({ page }) {
      const websites = bulkChanges()?.websites(page)
      return websites === undefined ? fail('no-connection') : ok(websites)
    },
  }
}
