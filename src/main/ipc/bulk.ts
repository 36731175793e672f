import { fail, ok } from '../../shared/result.ts'
import { compareDomainList } from '../bulk/compare-list.ts'
import { copyWebsites, previewCopy } from '../bulk/copy.ts'
import { findWebsitesExcluding } from '../bulk/find-addresses.ts'
import type { OpenConnection } from '../connection/open-connection.ts'
import type { Connections } from '../connection/ports.ts'
import type { EventPayload } from '../../preload/bridge.ts'
import { forActiveConnection, typedHandlers } from './handlers.ts'

/** `onBulkChange`: called after each undo of a bulk change. `onProgress`: called during a long bulk change. */
export function bulkHandlers(
  connections: Connections,
  onBulkChange: () => void,
  onProgress: (progress: EventPayload<'changing'>) => void,
) {
  const active = forActiveConnection(connections)
  const open = (id: string): OpenConnection | null => connections.all().find(({ record }) => record.id === id) ?? null
  return typedHandlers({
    previewBulk: active(async ({ bulk }, { keys, change, page }) => ok(await bulk.preview(keys, change, page))),
    unseenLists: active(async ({ bulk }, { keys }) => ok(await bulk.unseenLists(keys))),
    bulkUpdate: active(async ({ bulk }, { keys, change }) =>
      ok(await bulk.apply(keys, change, (done, total) => onProgress({ done, total }))),
    ),
    takenDomains: active(({ outbox }, { domains }) => outbox.takenDomains(domains)),
    compareList: active(({ view }, { domains }) => {
      const websites = view.domains()
      return websites.ok ? ok(compareDomainList(domains, websites.value)) : websites
    }),
    findAddresses: active(async (shown, { lines }) => {
      const found = await findWebsitesExcluding(shown.view, lines)
      if (!found.ok) return found
      const others: { account: string; count: number }[] = []
      for (const { record, view } of connections.all()) {
        const there = record.id === shown.record.id ? null : await findWebsitesExcluding(view, lines)
        const count = there?.ok ? there.value.keys.length + there.value.leftOut : 0
        if (count > 0) others.push({ account: record.id, count })
      }
      return ok({ ...found.value, others })
    }),
    bulkCreate: active(async ({ bulk }, { drafts }) => ok(await bulk.create(drafts))),
    bulkDelete: active(async ({ bulk }, { keys }) => ok(await bulk.delete(keys))),
    async undoBulk({ bulkChange, account, agreed }) {
      const connection = account === undefined ? connections.active() : open(account)
      const undone = await connection?.bulk.undo(bulkChange, agreed, connection.tags.restore)
      onBulkChange()
      return undone ?? fail('no-connection')
    },
    previewCopy: active((source, { keys, account }) => {
      const target = open(account)
      return target === null ? fail('no-connection') : previewCopy(source, target, keys)
    }),
    copyWebsites: active((source, { keys, account, protectedAs }) => {
      const target = open(account)
      return target === null ? fail('no-connection') : copyWebsites(source, target, keys, protectedAs)
    }),
    listBulkWebsites: active(({ bulk }, { page }) => ok(bulk.websites(page))),
  })
}
