import { setImmediate } from 'node:timers/promises'
import type { Preset } from '../../shared/preset.ts'
import { settingNames, type WebsiteSettings } from '../../shared/website.ts'
import type { RemoteChange, RemoteChangesReport } from '../replica/ports.ts'
import type { Refresh } from '../replica/refresh.ts'
import type { View } from '../replica/view.ts'
import { pickNamed } from '../outbox/model/compare.ts'
import { differs } from './changes.ts'
import type { Presets } from './presets.ts'

/** Number of websites that are compared in one turn of the event loop. */
const SLICE = 100

/** A preset from which a website differs after a refresh but did not before. */
export interface PresetDrift {
  name: string
  /** Number of all websites that differ from the preset now. */
  count: number
}

export interface WatchPorts {
  refresh: Pick<Refresh, 'onRemoteChanges'>
  presets: Pick<Presets, 'list'>
  view: Pick<View, 'get' | 'judge'>
}

/** The values of a website before remote changes replaced them. Null if the website did not exist then. */
type ValuesBefore = Partial<WebsiteSettings> | null

/**
 * After each refresh, calls `report` with the remote changes and with the watched presets from which a website differs now but
 * did not before. Each remote change is reported once, even if the app restarts. Returns a function that stops the reports.
 */
export function watchRemoteChanges(
  { refresh, presets, view }: WatchPorts,
  report: (news: RemoteChangesReport, drifts: PresetDrift[]) => void,
): () => void {
  let stopped = false

  /** Returns the presets from which a website differs now but did not before. */
  function drifted(website: string, replaced: ValuesBefore, among: readonly Preset[]): Preset[] {
    const now = view.get(website)
    if (now === null) return []
    const before = replaced && { ...now, ...replaced }
    return among.filter(
      ({ change }) => differs(now, change) === true && (before === null || differs(before, change) !== true),
    )
  }

  async function driftsIn(changes: Iterable<RemoteChange[]>): Promise<PresetDrift[]> {
    const read = presets.list()
    const watched = read.ok ? read.value.filter(({ watched: isWatched }) => isWatched) : []
    if (watched.length === 0) return []
    const replaced = new Map<string, ValuesBefore>()
    for (const slice of changes) {
      for (const change of slice) replaced.set(change.website, addReplaced(change, replaced.get(change.website)))
      await setImmediate()
    }
    const found = new Set<Preset>()
    let at = 0
    for (const [website, values] of replaced) {
      for (const preset of drifted(website, values, watched)) found.add(preset)
      if (++at % SLICE === 0) await setImmediate()
    }
    const drifts: PresetDrift[] = []
    for (const { name } of watched.filter((preset) => found.has(preset))) {
      const judged = await view.judge([{ name: 'differs', value: name, not: false }])
      if (judged.ok) drifts.push({ name, count: judged.value.keys.length })
    }
    return drifts
  }

  const stop = refresh.onRemoteChanges((news, changes) => {
    void driftsIn(changes).then((drifts) => {
      if (!stopped) report(news, drifts)
    })
  })
  return () => {
    stopped = true
    stop()
  }
}

/** Adds the values that a remote change has replaced. Those in `earlier` are older, so they win. */
function addReplaced({ kind, fields, before }: RemoteChange, earlier: ValuesBefore | undefined): ValuesBefore {
  if (earlier === null || (earlier === undefined && kind === 'added')) return null
  const names = settingNames.filter((name) => fields.includes(name))
  return { ...Object.fromEntries(names.map((name) => [name, undefined])), ...pickNamed(before, names), ...earlier }
}
