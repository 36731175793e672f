import type { SitewardBridge } from '../../../preload/bridge.ts'
import type { BulkChange } from '../../../shared/bulk-change.ts'
import type { BulkResult } from '../../../shared/bulk.ts'
import { errorText } from '../../../messages/errors.ts'
import { fieldLabel } from '../../../shared/display/fields.ts'
import { formatList } from '../../../shared/display/format.ts'
import type { ToastDetails, Toasts } from '../../app/toasts.svelte.ts'
import { m } from '../../../messages/index.ts'

interface App {
  bridge: SitewardBridge
  toasts: Toasts
}

type Undone = (result: BulkResult) => { text: string; details: ToastDetails[] }

/**
 * Shows a toast about a bulk change with a button that undoes it. `undone` returns the result as a text. `account`: the account
 * of the bulk change, if it isn't the one shown.
 */
export function offerUndo(app: App, done: string, bulkChange: string, undone: Undone, account?: string): void {
  const run = (): Promise<void> => undoBulk(app, bulkChange, undone, account)
  app.toasts.show(done, { label: m.common_undo(), edit: bulkChange, bulk: true, run })
}

/** Undoes the last bulk change, from the Pending screen or by a command. */
export async function undoBulkChange(
  app: App & { tags: { reload(): Promise<void> } },
  { id, kind }: Pick<BulkChange, 'id' | 'kind'>,
): Promise<void> {
  await undoBulk(app, id, kind === 'update' ? restoredText : undoneUnsentText)
  // An imported table may have changed tags and notes, and no event reports them.
  await app.tags.reload()
}

async function undoBulk({ bridge, toasts }: App, bulkChange: string, undone: Undone, account?: string): Promise<void> {
  toasts.takeBulkUndo()
  toasts.dropAbout(bulkChange)
  const answer = await bridge.undoBulk({ bulkChange, ...(account !== undefined && { account }) })
  if (!answer.ok) return toasts.show(errorText(answer.error).problem)
  const { text, details } = undone(answer.value)
  toasts.show(text, undefined, details)
}

const domainsOf = (refused: BulkResult['refused']): string[] => refused.map(({ domain }) => domain)

function undoneText(done: string, left: readonly ToastDetails[], ...more: string[]): ReturnType<Undone> {
  const named = left.map(({ text, domains }) => ({ text, domains: domains.filter((domain) => domain !== '') }))
  return {
    text: [done, ...left.map(({ text }) => text), ...more].join(' '),
    details: named.filter(({ domains }) => domains.length > 0),
  }
}

/** Says for how many websites the change was undone, and for how many it will be. */
const countsText = ({ changed, queued = 0 }: Pick<BulkResult, 'changed' | 'queued'>): string =>
  [
    ...(changed > queued || queued === 0 ? [m.bulk_undone({ count: changed - queued })] : []),
    ...(queued > 0 ? [m.bulk_undo_queued({ count: queued })] : []),
  ].join(' ')

/** Returns the result of undoing a bulk create or delete, which can't be undone once it is sent. */
export const undoneUnsentText = ({
  refused,
  ...counts
}: Pick<BulkResult, 'changed' | 'queued' | 'refused'>): ReturnType<Undone> =>
  undoneText(
    countsText(counts),
    refused.length > 0 ? [{ text: m.bulk_undo_sent({ count: refused.length }), domains: domainsOf(refused) }] : [],
  )

/**
 * Returns the result of undoing a bulk edit. Values that were changed since, and fields whose previous value the service doesn't show,
 * stay as they are.
 */
export const restoredText = ({
  changedSince = [],
  refused,
  unknown,
  ...counts
}: Pick<BulkResult, 'changed' | 'queued' | 'changedSince' | 'refused' | 'unknown'>): ReturnType<Undone> =>
  undoneText(
    countsText(counts),
    [
      ...(changedSince.length > 0
        ? [{ text: m.bulk_undo_kept({ count: changedSince.length }), domains: changedSince }]
        : []),
      ...(refused.length > 0
        ? [{ text: m.bulk_undo_failed({ count: refused.length }), domains: domainsOf(refused) }]
        : []),
    ],
    ...(unknown.length > 0 ? [m.bulk_undo_unknown({ fields: formatList(unknown.map(fieldLabel)) })] : []),
  )
