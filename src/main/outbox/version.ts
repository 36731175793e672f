import { fail, ok, type Result } from '../../shared/result.ts'
import { settingNames, type SettingName, type WebsiteSettings } from '../../shared/website.ts'
import { pickNamed, pickSettings, pickCommon } from './model/compare.ts'
import type { StoredActivityEntry } from './model/activity.ts'
import type { OutboxStore } from './ports.ts'

const ENTRIES_PER_READ = 100

/**
 * Returns the settings that a website had before or after the entry `n`: its current ones, with all later changes taken back. A
 * field that was not shown then is absent. Errors: `website-gone`, `edit-gone` (there is no such entry).
 */
export function versionAt(
  store: OutboxStore,
  website: string,
  n: number,
  side: 'before' | 'after',
): Result<Partial<WebsiteSettings>> {
  const record = store.website(website)?.record
  if (!record) return fail('website-gone')
  let settings: Partial<WebsiteSettings> = pickSettings(record)
  // Sorted by number, because the clock may have been set back between two entries.
  for (const entry of entriesOf(store, website).toSorted((a, b) => b.n - a.n)) {
    const earlier = settingsBefore(entry, settings)
    if (entry.n === n) return ok(side === 'after' ? settings : earlier)
    settings = earlier
  }
  return fail('edit-gone')
}

function entriesOf(store: OutboxStore, website: string): StoredActivityEntry[] {
  const entries: StoredActivityEntry[] = []
  for (let page = store.activity({ website, limit: ENTRIES_PER_READ }); ;) {
    entries.push(...page.records)
    if (page.next === null) return entries
    page = store.activity({ website, limit: ENTRIES_PER_READ, after: page.next })
  }
}

/** Takes the changes of an entry back. */
function settingsBefore(
  { result, remote }: StoredActivityEntry,
  settings: Partial<WebsiteSettings>,
): Partial<WebsiteSettings> {
  if (remote !== undefined) return withValues(settings, remote.fields, remote.before)
  if (result === undefined || (result.became !== 'sent' && result.became !== 'repaired')) return settings
  if (result.kind !== 'update') return settings
  return withValues(settings, Object.keys(result.settings), {
    ...result.before,
    ...pickCommon(result.overwritten, result.settings),
  })
}

/** A field of `names` without a value is removed. */
function withValues(
  settings: Partial<WebsiteSettings>,
  names: readonly string[],
  values: Partial<WebsiteSettings>,
): Partial<WebsiteSettings> {
  const isNamed = (name: SettingName) => names.includes(name)
  const kept = settingNames.filter((name) => !isNamed(name))
  return { ...pickNamed(settings, kept), ...pickNamed(values, settingNames.filter(isNamed)) }
}
