import { localDataSchema, type LocalData } from '../../shared/local-data.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import { isSameTag, MAX_TAGS } from '../../shared/tags.ts'
import type { OutboxStore } from '../outbox/ports.ts'
import type { TagsAndNotesStore } from '../storage/local.ts'
import type { SavedViews } from './saved-views.ts'
import { tooManyTagsText } from './tags.ts'

/** Reads and merges the tags, notes and saved views of an account. */
export interface LocalDataTransfer {
  hasAny(): boolean
  /** Errors: `storage`. */
  read(): Result<LocalData>
  /**
   * Adds missing tags and views, adds tags to websites, and sets notes where there is none. Replaces nothing. Returns how many
   * tags, views and websites were added or changed. An error stores nothing. Errors: `invalid-input` if this isn't local data, or
   * with `fields` (`name`) for too many tags or views; `storage`, `disk-full`, `newer-version`.
   */
  merge(imported: unknown): Result<Record<keyof LocalData, number>>
}

interface Ports {
  store: TagsAndNotesStore & Pick<OutboxStore, 'write'>
  savedViews: SavedViews
}

export function createLocalDataTransfer({ store, savedViews }: Ports): LocalDataTransfer {
  const read = (): Result<LocalData> => {
    const [tags, websites, views] = [store.tags(), store.localWebsites(), savedViews.list()]
    if (!tags.ok) return tags
    if (!websites.ok) return websites
    return views.ok ? ok({ tags: tags.value, websites: websites.value, views: views.value }) : views
  }
  return {
    hasAny() {
      const [local, views] = [store.hasLocal(), savedViews.list()]
      return (local.ok && local.value) || (views.ok && views.value.length > 0)
    },
    read,
    merge(imported) {
      const { data } = localDataSchema.safeParse(imported)
      if (data === undefined) return fail('invalid-input')
      return store.write(() => {
        const present = read()
        if (!present.ok) return present
        const [newTags, newViews] = [
          valuesToAdd(present.value.tags, data.tags),
          valuesToAdd(present.value.views, data.views),
        ]
        const tags = [...present.value.tags, ...newTags]
        if (tags.length > MAX_TAGS) return fail('invalid-input', { fields: { name: [tooManyTagsText()] } })
        const websites = websitesToUpdate(present.value.websites, data.websites, tags)
        const stored = store.saveLocal({ tags, websites })
        if (!stored.ok) return stored
        for (const view of newViews) {
          const saved = savedViews.save({ ...view, id: null })
          if (!saved.ok) return saved
        }
        return ok({ tags: newTags.length, views: newViews.length, websites: websites.length })
      })
    },
  }
}

/** Returns the imported values whose names aren't taken, each name once. */
function valuesToAdd<T extends { name: string }>(present: readonly T[], imported: readonly T[]): T[] {
  const result: T[] = []
  for (const one of imported)
    if (![...present, ...result].some(({ name }) => isSameTag(name, one.name))) result.push(one)
  return result
}

/** Returns the websites that the merge changes. Tags that don't exist are left out. */
function websitesToUpdate(
  present: LocalData['websites'],
  imported: LocalData['websites'],
  tags: LocalData['tags'],
): LocalData['websites'] {
  const merged = new Map(present.map((website) => [website.domain, website]))
  const changed = new Set<string>()
  for (const { domain, tags: names, note } of imported) {
    const before = merged.get(domain) ?? { domain, tags: [], note: '' }
    const extra = tags.map(({ name }) => name).filter((name) => names.some((one) => isSameTag(one, name)))
    const all = [...new Set([...before.tags, ...extra])]
    if (all.length === before.tags.length && (before.note !== '' || note === '')) continue
    merged.set(domain, { domain, tags: all, note: before.note || note })
    changed.add(domain)
  }
  return [...changed].flatMap((domain) => merged.get(domain) ?? [])
}
