import type { BulkResult } from '../../shared/bulk.ts'
import { growingSlices } from '../../shared/slices.ts'
import type { AppError, Result } from '../../shared/result.ts'
import type { Outbox, WebsiteUpdate } from '../outbox/contract.ts'
import type { View } from '../replica/view.ts'

export interface SlicePorts {
  view: Pick<View, 'get'>
  outbox: Pick<Outbox, 'writeBulk'>
  /** Lets the event loop run other work. */
  pause: () => Promise<void>
}

/** The changes to queue for a website, or null if it needs none. */
export type JudgedUpdate = Result<Omit<WebsiteUpdate, 'key'> | null>

/** Yields slices of growing size, with a pause before each but the first. */
export async function* inSlices<T>(all: Iterable<T>, pause: () => Promise<void>): AsyncGenerator<readonly T[]> {
  let isFirst = true
  for (const slice of growingSlices([...all])) {
    if (!isFirst) await pause()
    isFirst = false
    yield slice
  }
}

/**
 * Queues updates of websites in slices. `judge`: returns what to change. `onQueued`: gets the websites that have an edit now, and
 * the size of the slice. It is called after each slice, because the edits may be sent while later ones are being queued.
 */
export async function queueInSlices(
  { view, outbox, pause }: SlicePorts,
  keys: Iterable<string>,
  judge: (key: string) => JudgedUpdate,
  onQueued: (queued: string[], slice: number) => void,
): Promise<Pick<BulkResult, 'changed' | 'same' | 'refused'>> {
  const result: Pick<BulkResult, 'changed' | 'same' | 'refused'> = { changed: 0, same: 0, refused: [] }
  const refuse = (key: string, error: AppError): void =>
    void result.refused.push({ key, domain: view.get(key)?.domain ?? '', error })
  for await (const slice of inSlices(keys, pause)) {
    const updates: WebsiteUpdate[] = []
    for (const key of slice) {
      const judged = judge(key)
      if (!judged.ok) refuse(key, judged.error)
      else if (judged.value === null) result.same += 1
      else updates.push({ key, ...judged.value })
    }
    const written = await outbox.writeBulk({ updates })
    const errors = written.ok ? written.value.updated : updates.map(() => written.error)
    const queued = updates.flatMap(({ key }, at) => (errors[at] === null ? [key] : []))
    onQueued(queued, slice.length)
    result.changed += queued.length
    updates.forEach(({ key }, at) => {
      const error = errors[at] ?? null
      if (error !== null) refuse(key, error)
    })
  }
  return result
}
