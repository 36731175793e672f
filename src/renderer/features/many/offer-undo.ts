import type { SitewardBridge } from '../../../preload/bridge.ts'
import type { Batch } from '../../../shared/batch.ts'
import type { BulkResult } from '../../../shared/bulk.ts'
import { errorWords } from '../../../words/errors.ts'
import { setBackWords, takenBackWords } from '../../../words/many.ts'
import type { Notices } from '../../app/notices.svelte.ts'
import { actWords } from '../../../words/acts.ts'

interface Desk {
  bridge: SitewardBridge
  notices: Notices
}

/** Says what was done to many websites, and offers to take it back as one; `undone` says what became of that. */
export function offerUndo(desk: Desk, done: string, batch: string, undone: (result: BulkResult) => string): void {
  const run = (): Promise<void> => undoMany(desk, batch, undone)
  desk.notices.say(done, { label: actWords.undo, edit: batch, many: true, run })
}

/** Takes back as one what was last done to many, as it's told beside what waits. */
export const undoBatch = (desk: Desk, { id, kind }: Pick<Batch, 'id' | 'kind'>): Promise<void> =>
  undoMany(desk, id, kind === 'update' ? setBackWords : takenBackWords)

/** Takes back as one what was done to many websites, and says what became of that. */
async function undoMany(
  { bridge, notices }: Desk,
  batch: string,
  undone: (result: BulkResult) => string,
): Promise<void> {
  notices.takeMany()
  notices.dropAbout(batch)
  const answer = await bridge.undoBulk({ batch })
  notices.say(answer.ok ? undone(answer.value) : errorWords(answer.error).what)
}
