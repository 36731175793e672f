import type { SitewardBridge } from '../../../preload/bridge.ts'
import type { BulkChange } from '../../../shared/bulk-change.ts'
import type { BulkResult } from '../../../shared/bulk.ts'
import { errorText } from '../../../messages/errors.ts'
import { fieldLabel } from '../../../shared/display/fields.ts'
import { formatList, number } from '../../../shared/display/format.ts'
import type { Toasts } from '../../app/toasts.svelte.ts'
import { m } from '../../../messages/index.ts'

interface App {
  bridge: SitewardBridge
  toasts: Toasts
}

/** Shows a toast about a bulk change with a button that undoes it. `undone` returns the text about the undo's result. */
export function offerUndo(app: App, done: string, bulkChange: string, undone: (result: BulkResult) => string): void {
  const run = (): Promise<void> => undoBulk(app, bulkChange, undone)
  app.toasts.say(done, { label: m.common_undo(), edit: bulkChange, bulk: true, run })
}

/** Undoes the last bulk change, from the Pending screen or by a command. */
export const undoBulkChange = (app: App, { id, kind }: Pick<BulkChange, 'id' | 'kind'>): Promise<void> =>
  undoBulk(app, id, kind === 'update' ? restoredText : undoneUnsentText)

async function undoBulk(
  { bridge, toasts }: App,
  bulkChange: string,
  undone: (result: BulkResult) => string,
): Promise<void> {
  toasts.takeBulk()
  toasts.dropAbout(bulkChange)
  const answer = await bridge.undoBulk({ bulkChange })
  toasts.say(answer.ok ? undone(answer.value) : errorText(answer.error).what)
}

/** Returns the result of undoing a bulk create or delete, which can't be undone once it is sent. */
export const undoneUnsentText = ({ changed, refused }: Pick<BulkResult, 'changed' | 'refused'>): string =>
  [
    m.bulk_undone({ count: changed }),
    ...(refused.length > 0 ? [m.bulk_undo_sent({ count: number(refused.length) })] : []),
  ].join(' ')

/** Returns the result of undoing a bulk edit. Fields whose previous value the service doesn't show keep their value. */
export const restoredText = ({
  changed,
  same,
  refused,
  unknown,
}: Pick<BulkResult, 'changed' | 'same' | 'refused' | 'unknown'>): string =>
  [
    m.bulk_undone({ count: changed }),
    ...(same > 0 ? [m.bulk_undo_kept({ count: same })] : []),
    ...(refused.length > 0 ? [m.bulk_undo_failed({ count: refused.length })] : []),
    ...(unknown.length > 0 ? [m.bulk_undo_unknown({ fields: formatList(unknown.map(fieldLabel)) })] : []),
  ].join(' ')
