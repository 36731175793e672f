import { m } from '../../messages/index.ts'
import type { Tag, WebsiteLocalData } from '../../shared/local-data.ts'
import { compareNames, formatNumber } from '../../shared/display/format.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import { hasSameTags, isSameTag, MAX_TAG_NAME, MAX_TAGS, tagColors } from '../../shared/tags.ts'
import { isTagName } from '../../shared/validate.ts'
import type { TagsAndNotesUndo } from '../bulk/ports.ts'
import type { OutboxStore } from '../outbox/ports.ts'
import type { View } from '../replica/view.ts'
import { slices } from '../../shared/slices.ts'
import type { DomainTagsAndNote, TagsAndNotesStore } from '../storage/local.ts'
import { renameInSavedViews } from './saved-views.ts'
import type { SavedViewStore } from '../storage/list-store.ts'

/** Number of websites whose tags are read or stored before the event loop can run other work. */
const SLICE = 100

const MAX_UNDOABLE = 20
/** Counted over all connections, so that an undo never finds a change of another connection. */
let lastChangeNumber = 0

/** Absent fields don't change. */
type TagsAndNoteChange = Partial<WebsiteLocalData>

/** Tags and notes stay on this computer. Every write can fail with `disk-full`, `storage` or `newer-version`. */
export interface Tags {
  /** `tags`: sorted by name. `hasNotes`: true if any website has a note. Errors: `storage`. */
  list(): Result<{ tags: Tag[]; hasNotes: boolean }>
  /**
   * Adds a tag if `was` is null. Otherwise changes the tag with the name `was`, in websites and views too. Errors:
   * `invalid-input` with `fields` (`name`).
   */
  save(tag: Tag & { was: string | null }): Result<Tag>
  /**
   * Removes a tag from the list and from all websites. Filters of views keep it. Returns the number for {@link undo}. If
   * `unused` is true and a website has the tag, removes nothing and returns 0.
   */
  remove(name: string, unused?: boolean): Result<number>
  /** Returns how many of these websites have each tag. Errors: `storage`. */
  count(keys: readonly string[]): Promise<Result<Record<string, number>>>
  /** Unknown tags are ignored. An error reverts what was stored before it. Returns the number for {@link undo}. */
  assign(keys: readonly string[], add: readonly string[], remove: readonly string[]): Promise<Result<number>>
  /** An empty text removes the note. Returns the number for {@link undo}. */
  setNote(domain: string, note: string): Result<number>
  /**
   * Undoes one of the last {@link MAX_UNDOABLE} changes until the app quits. Returns the number of changed domains and restored
   * tags. Errors: `edit-gone`, and `invalid-input` for too many tags.
   */
  undo(change: number): Result<number>
  /**
   * Changes the tags and notes of domains, and adds tags that don't exist yet. Returns the data for {@link restore}. Errors:
   * `invalid-input` for too many tags.
   */
  change(changes: readonly { domain: string; to: TagsAndNoteChange }[]): Result<TagsAndNotesUndo>
  /** Reverts a change. Keeps values that were changed after it, and added tags that are in use. Returns the changed domains. */
  restore(undo: TagsAndNotesUndo): Result<string[]>
}

interface Ports {
  store: TagsAndNotesStore & Pick<SavedViewStore, 'savedViews' | 'saveView'> & Pick<OutboxStore, 'write'>
  view: Pick<View, 'websites'>
}

export function createTags({ store, view }: Ports): Tags {
  /** By change number. `removed`: the tag that the change has removed. */
  const undos = new Map<number, TagsAndNotesUndo & { removed?: Tag | undefined }>()
  const keep = (undo: TagsAndNotesUndo & { removed?: Tag | undefined }): Result<number> => {
    undos.set((lastChangeNumber += 1), undo)
    const [oldest] = undos.keys()
    if (undos.size > MAX_UNDOABLE && oldest !== undefined) undos.delete(oldest)
    return ok(lastChangeNumber)
  }

  /** Returns the number of added tags: 0 if the name is taken. Errors: `invalid-input` for too many tags. */
  function addAgain(tag: Tag): Result<number> {
    const read = store.tags()
    if (!read.ok) return read
    if (read.value.some(({ name }) => isSameTag(name, tag.name))) return ok(0)
    if (read.value.length >= MAX_TAGS) return fail('invalid-input', { fields: { name: [tooManyTagsText()] } })
    const saved = store.saveLocal({ tags: [...read.value, tag] })
    return saved.ok ? ok(1) : saved
  }

  /** Stores the tags, and applies `change` to the tag names of each website. */
  function saveWithTags(tags: Tag[], change: (names: string[]) => string[]): Result<TagsAndNotesUndo> {
    const read = store.localWebsites()
    if (!read.ok) return read
    const changed = read.value.flatMap((before) => {
      const after = { ...before, tags: change(before.tags) }
      return hasEqualTags(after, before) ? [] : [{ before, after }]
    })
    const undo = { before: changed.map(({ before }) => before), after: changed.map(({ after }) => after), made: [] }
    const saved = store.saveLocal({ tags, websites: undo.after })
    return saved.ok ? ok(undo) : saved
  }

  /** Changes a slice of websites in one transaction. */
  function assignAtOnce(
    keys: readonly string[],
    add: readonly string[],
    remove: readonly string[],
  ): Result<TagsAndNotesUndo> {
    const [allTags, websites] = [store.tags(), view.websites(keys)]
    if (!allTags.ok) return allTags
    if (!websites.ok) return websites
    const added = allTags.value.map(({ name }) => name).filter((name) => add.some((one) => isSameTag(one, name)))
    const before = websites.value.map(({ domain, tags = [], note = '' }) => ({ domain, tags, note }))
    const after = before.map((one) => {
      const remaining = one.tags.filter((tag) => ![...remove, ...added].some((other) => isSameTag(other, tag)))
      return { ...one, tags: [...remaining, ...added].toSorted(compareNames) }
    })
    const saved = store.saveLocal({ websites: after })
    return saved.ok ? ok({ before, after, made: [] }) : saved
  }

  const restore: Tags['restore'] = ({ before, after, made }) =>
    store.write(() => {
      const [allTags, read] = [store.tags(), store.localWebsites()]
      if (!allTags.ok) return allTags
      if (!read.ok) return read
      const now = new Map(read.value.map((one) => [one.domain, one]))
      const websites = before.flatMap((former, at) => {
        const { domain, tags, note } = { ...former, tags: [], note: '', ...now.get(former.domain) }
        const [keepsTags, keepsNote] = [!hasSameTags(tags, after[at]?.tags ?? []), note !== after[at]?.note]
        // Tags that were deleted since are not restored.
        const formerTags = former.tags.filter((name) => allTags.value.some((tag) => isSameTag(tag.name, name)))
        const back = { domain, tags: keepsTags ? tags : formerTags, note: keepsNote ? note : former.note }
        return hasSameTags(back.tags, tags) && back.note === note ? [] : [back]
      })
      for (const website of websites) now.set(website.domain, website)
      const used = new Set([...now.values()].flatMap(({ tags }) => tags))
      const tags = allTags.value.filter(({ name }) => !made.includes(name) || used.has(name))
      const saved = store.saveLocal({ tags, websites })
      return saved.ok ? ok(websites.map(({ domain }) => domain)) : saved
    })

  const change: Tags['change'] = (changes) => {
    const [allTags, websites] = [store.tags(), store.localWebsites(changes.map(({ domain }) => domain))]
    if (!allTags.ok) return allTags
    if (!websites.ok) return websites
    const before = new Map(websites.value.map((one) => [one.domain, one]))
    const tags = [...allTags.value]
    const made: string[] = []
    for (const name of changes.flatMap(({ to }) => to.tags ?? [])) {
      const colour = tagColors[(tags.length + 1) % tagColors.length] ?? 'gray'
      if (tags.some((tag) => isSameTag(tag.name, name))) continue
      tags.push({ name, colour })
      made.push(name)
    }
    if (tags.length > MAX_TAGS) return fail('invalid-input', { fields: { name: [tooManyTagsText()] } })
    const nameOf = (name: string) => tags.find((tag) => isSameTag(tag.name, name))?.name ?? name
    const nothing = { tags: [], note: '' }
    const after = changes.map(({ domain, to }) => {
      const { tags: names, note } = { ...nothing, ...before.get(domain), ...to }
      return { domain, tags: names.map(nameOf).toSorted(compareNames), note }
    })
    const saved = store.saveLocal({ tags, websites: after })
    const former = after.map((one) => ({ ...nothing, ...before.get(one.domain), domain: one.domain }))
    return saved.ok ? ok({ before: former, after, made }) : saved
  }

  return {
    list() {
      const [tags, hasNotes] = [store.tags(), store.hasNotes()]
      if (!tags.ok) return tags
      if (!hasNotes.ok) return hasNotes
      return ok({ tags: tags.value.toSorted((a, b) => compareNames(a.name, b.name)), hasNotes: hasNotes.value })
    },
    save({ was, name: typed, colour }) {
      const read = store.tags()
      if (!read.ok) return read
      const at = was === null ? -1 : read.value.findIndex(({ name }) => isSameTag(name, was))
      const name = typed.trim().normalize()
      const problem = nameProblem(name, at < 0 ? read.value : read.value.toSpliced(at, 1))
      if (problem !== null) return fail('invalid-input', { fields: { name: [problem] } })
      const tag = { name, colour }
      const saved =
        at < 0 || was === null
          ? store.saveLocal({ tags: [...read.value, tag] })
          : store.write(() => {
              const renamed = saveWithTags(read.value.with(at, tag), (names) =>
                names.map((one) => (isSameTag(one, was) ? name : one)),
              )
              return renamed.ok ? renameInSavedViews(store, 'tag', was, name) : renamed
            })
      return saved.ok ? ok(tag) : saved
    },
    remove(name, unused = false) {
      const [read, websites] = [store.tags(), store.localWebsites()]
      if (!read.ok) return read
      if (!websites.ok) return websites
      if (unused && websites.value.some(({ tags }) => tags.some((one) => isSameTag(one, name)))) return ok(0)
      const withoutTag = (names: string[]) => names.filter((one) => !isSameTag(one, name))
      const removed = saveWithTags(
        read.value.filter((tag) => !isSameTag(tag.name, name)),
        withoutTag,
      )
      const tag = read.value.find((one) => isSameTag(one.name, name))
      return removed.ok ? keep({ ...removed.value, removed: tag }) : removed
    },
    async count(keys) {
      // A Map, because a tag can have the name of a property that every object has, such as "constructor".
      const counts = new Map<string, number>()
      for await (const slice of slices(keys, SLICE)) {
        const websites = view.websites(slice)
        if (!websites.ok) return websites
        for (const { tags = [] } of websites.value) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
      }
      return ok(Object.fromEntries(counts))
    },
    async assign(keys, add, remove) {
      const undo: TagsAndNotesUndo = { before: [], after: [], made: [] }
      for await (const slice of slices(keys, SLICE)) {
        const stored = assignAtOnce(slice, add, remove)
        if (!stored.ok) {
          restore(undo)
          return stored
        }
        undo.before.push(...stored.value.before)
        undo.after.push(...stored.value.after)
      }
      return keep(undo)
    },
    setNote(domain, note) {
      const changed = change([{ domain, to: { note: note.trim() } }])
      return changed.ok ? keep(changed.value) : changed
    },
    undo(changeNumber) {
      const undo = undos.get(changeNumber)
      if (undo === undefined) return fail('edit-gone')
      const restored = store.write(() => {
        const added = undo.removed ? addAgain(undo.removed) : ok(0)
        if (!added.ok) return added
        const domains = restore(undo)
        return domains.ok ? ok(domains.value.length + added.value) : domains
      })
      if (!restored.ok) return restored
      undos.delete(changeNumber)
      return restored
    },
    change,
    restore,
  }
}

const hasEqualTags = (a: DomainTagsAndNote, b: DomainTagsAndNote | undefined): boolean =>
  a.tags.join('\n') === b?.tags.join('\n')

/** Returns the error text for more than {@link MAX_TAGS} tags. */
export const tooManyTagsText = () => m.input_tags_too_many({ limit: formatNumber(MAX_TAGS) })

/** Returns the text to show at the name if the tag cannot be saved, or null. */
function nameProblem(name: string, otherTags: readonly Tag[]): string | null {
  if (name === '') return m.input_preset_name_missing()
  if (!isTagName(name)) return m.input_tag_name_invalid({ limit: formatNumber(MAX_TAG_NAME) })
  if (otherTags.some((one) => isSameTag(one.name, name))) return m.input_tag_name_taken()
  return otherTags.length >= MAX_TAGS ? tooManyTagsText() : null
}
