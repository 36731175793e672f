import type { SitewardBridge } from '../../../preload/bridge.ts'
import type { BulkChange } from '../../../shared/bulk-change.ts'
import type { BulkResult } from '../../../shared/bulk.ts'
import { errorText } from '../../../messages/errors.ts'
import { setBackWords, takenBackWords } from '../../../words/bulk.ts'
import type { Toasts } from '../../app/toasts.svelte.ts'
import { m } from '../../../messages/index.ts'

interface App {
  bridge: SitewardBridge
  toasts: Toasts
}

/** Says what was done to many websites, and offers to take it back as one; `undone` says what became of that. */
export function offerUndo(app: App, done: string, bulkChange: string, undone: (result: BulkResult) => string): void {
  const run = (): Promise<void> => undoBulk(app, bulkChange, undone)
  app.toasts.say(done, { label: m.common_undo(), edit: bulkChange, bulk: true, run })
}

/** Takes back as one what was last done to many, as it's told beside what waits. */
export const undoBulkChange = (app: App, { id, kind }: Pick<BulkChange, 'id' | 'kind'>): Promise<void> =>
  undoBulk(app, id, kind === 'update' ? setBackWords : takenBackWords)

/** Takes back as one what was done to many websites, and says what became of that. */
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
