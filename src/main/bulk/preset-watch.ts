import type { View } from '../replica/view.ts'
import type { Refresh } from '../replica/refresh.ts'
import type { Presets } from './presets.ts'

/** A preset from which more websites differ than before a refresh. `count`: the websites that differ now. */
export interface Drift {
  name: string
  count: number
}

export interface WatchPorts {
  refresh: Pick<Refresh, 'onChange' | 'state'>
  presets: Pick<Presets, 'list'>
  view: Pick<View, 'judge'>
}

/**
 * Compares the websites with the watched presets at the start and the end of each refresh, and reports the presets from which more
 * differ at the end. A refresh that fails is continued by the next one. The first reading of the list is not compared. Returns a
 * function that stops it.
 */
export function watchPresets({ refresh, presets, view }: WatchPorts, report: (drifts: Drift[]) => void): () => void {
  let { ended } = refresh.state()
  let before: Promise<Map<string, Drift>> | null = null

  async function counts(): Promise<Map<string, Drift>> {
    const read = presets.list()
    const counted = new Map<string, Drift>()
    for (const { id, name, watched } of read.ok ? read.value : []) {
      if (!watched) continue
      const judged = await view.judge([{ name: 'differs', value: name, not: false }])
      if (judged.ok) counted.set(id, { name, count: judged.value.keys.length })
    }
    return counted
  }

  async function compare(started: Promise<Map<string, Drift>>): Promise<void> {
    const was = await started
    if (was.size === 0) return
    const drifts = [...(await counts())].flatMap(([id, now]) =>
      now.count > (was.get(id)?.count ?? Infinity) ? [now] : [],
    )
    if (drifts.length > 0) report(drifts)
  }

  return refresh.onChange(() => {
    const now = refresh.state()
    if (now.ended === ended) {
      if (before === null && now.seenAt !== null) before = counts()
      return
    }
    ended = now.ended
    if (now.error !== null || before === null) return
    void compare(before)
    before = null
  })
}
