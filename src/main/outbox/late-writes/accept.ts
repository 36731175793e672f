import { settingNames, type SettingName, type WebsiteRecord, type WebsiteSettings } from '../../../shared/website.ts'
import { meansSame, pickTouched } from '../model/compare.ts'
import type { Edit } from '../model/edit.ts'
import type { OutboxStore } from '../ports.ts'
import type { LateWrite } from '../model/late-write.ts'

/**
 * A value that a late request of ours carried is no other writer's (docs/sync.md#late-writes): where it's found, the edit is
 * merged as if the user had seen it, and what it overwrites is noted for the history.
 */
export function acceptLateWrites(store: OutboxStore, edit: Edit, there: WebsiteRecord): Edit {
  const lateWrites = store.lateWritesOf(edit.website).filter(({ kind }) => kind === 'update')
  const late = settingNames.filter((name) => contradicts(edit, there, name) && lateWrites.some(carries(there, name)))
  if (late.length === 0) return edit
  const values = Object.fromEntries(late.map((name) => [name, there[name]]))
  const base = { ...edit.base, settings: { ...edit.base.settings, ...values } }
  if (edit.kind === 'delete') return { ...edit, base }
  return { ...edit, base, note: { ...edit.note, overwrites: { ...values, ...edit.note?.overwrites } } }
}

const carries =
  (there: WebsiteRecord, name: SettingName) =>
  ({ settings }: LateWrite): boolean =>
    settings[name] !== undefined && meansSame(settings, there, name)

/** Neither what the user saw, nor what they want. */
function contradicts({ kind, base, settings }: Edit, there: WebsiteRecord, name: SettingName): boolean {
  if (there[name] === undefined || base.settings[name] === undefined) return false
  if (meansSame(base.settings, there, name)) return false
  return kind === 'delete' || (settings[name] !== undefined && !meansSame(settings, there, name))
}

/**
 * What a merge has left out of an edit because it's there already should stay so, whatever lands late; and so should what the
 * user has set back to what is there, of which its base alone is left. Within a write.
 */
export function expectValuesFound(store: OutboxStore, edit: Edit, sent: Edit, there: WebsiteRecord): void {
  if (edit.kind !== 'update') return
  const words = { ...edit.base.settings, ...edit.settings }
  const found = settingNames.filter(
    (name) => words[name] !== undefined && sent.settings[name] === undefined && meansSame(words, there, name),
  )
  expectValues(store, edit.website, Object.fromEntries(found.map((name) => [name, there[name]])))
}

/** So it should stay: the user has said so, or set it back to this, and nothing of it's left to be sent. Within a write. */
function expectValues(store: OutboxStore, website: string, word: Partial<WebsiteSettings>): void {
  if (Object.keys(word).length === 0) return
  for (const lateWrite of store.lateWritesOf(website)) {
    store.saveLateWrite({ ...lateWrite, expected: { ...lateWrite.expected, ...pickTouched(word, lateWrite.settings) } })
  }
}

/** What became of an edit when the user's later word went into it: what isn't in it any more is to stay so. */
export function expectValuesLeftOut(
  store: OutboxStore,
  website: string,
  word: Partial<WebsiteSettings>,
  became: Edit | null,
): void {
  const left = Object.entries(word).filter(([name]) => became?.settings[name as SettingName] === undefined)
  expectValues(store, website, Object.fromEntries(left))
}
