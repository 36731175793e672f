import { fullErrorText } from '../../../messages/errors.ts'
import { m } from '../../../messages/index.ts'
import { shortDomain } from '../../../shared/display/domain.ts'
import { formatNumber, joinSentences } from '../../../shared/display/format.ts'
import { isolateText } from '../../../shared/display/visible.ts'
import { MAX_BULK_WEBSITES } from '../../../shared/fields.ts'
import type { Tag } from '../../../shared/local-data.ts'
import { ok, type AppError, type Result } from '../../../shared/result.ts'
import { renameInSearch } from '../../../shared/search.ts'
import { isSameTag, MAX_TAG_NAME, tagColors, type TagColor } from '../../../shared/tags.ts'
import type { WebsiteView } from '../../../shared/website.ts'
import type { BaseApp } from '../../app/base-app.ts'
import type { TagList } from './tag-list.svelte.ts'

interface App extends BaseApp {
  readonly websites: {
    readonly columns: { has(name: 'tags'): boolean; toggle(name: 'tags'): void }
    readonly selection: { readonly count: number; keys(): Promise<Result<string[]>> }
    search: string
  }
  readonly views: { load(): Promise<void> }
  readonly tags: TagList
}

/** The checkbox of a tag. Null: only some of the selected websites have the tag, and saving doesn't change that. */
type TagChoice = boolean | null

interface Undo {
  /** Undoes a change. Returns the number of restored websites, tags or notes. */
  readonly run: () => Promise<Result<number>>
  /** Returns what was restored, for that number. */
  readonly text: (count: number) => string
}

/** The dialog that assigns tags to websites, changes the tags themselves, and edits the note of one website. */
export class TagsAndNoteDialog {
  readonly #app: App

  /** The keys of the websites that the dialog is about; null if it is closed. */
  keys: readonly string[] | null = $state.raw(null)
  /** The website that the dialog is about, or null if there are several. */
  website: WebsiteView | null = $state.raw(null)
  /** The checkboxes, by the name of the tag. */
  choices: Readonly<Record<string, TagChoice>> = $state.raw({})
  /** The checkboxes as they are stored, by the name of the tag. */
  #before: Readonly<Record<string, TagChoice>> = $state.raw({})
  note = $state('')
  /** The tag whose fields are shown, or null for a new one. */
  editing: Tag | null = $state.raw(null)
  /** The tag in the open question whether to delete it. */
  removing: Tag | null = $state.raw(null)
  name = $state('')
  color: TagColor = $state('red')
  busy = $state(false)
  error: AppError | null = $state.raw(null)

  /** The undos of the changes made in the dialog, the latest first. The toast after closing it offers them together. */
  #undos: Undo[] = []
  /** True if one of these changes has assigned tags to the websites. */
  #assigned = false
  /** The text of the toast about the last of these changes. */
  #saved = ''

  /** True if the dialog has input that closing it would lose. */
  readonly filled = $derived.by(
    () =>
      this.name !== (this.editing?.name ?? '') ||
      (this.editing !== null && this.color !== this.editing.colour) ||
      this.note !== (this.website?.note ?? '') ||
      this.#app.tags.names.some((name) => this.choices[name] !== this.#before[name]),
  )

  constructor(app: App) {
    this.#app = app
  }

  async ask(website: WebsiteView): Promise<void> {
    await this.#open([website.key], website)
  }

  async askSelected(): Promise<void> {
    const { selection } = this.#app.websites
    if (selection.count > MAX_BULK_WEBSITES)
      return this.#app.toasts.show(m.selection_limit({ limit: formatNumber(MAX_BULK_WEBSITES) }))
    const keys = await selection.keys()
    if (keys.ok) await this.#open(keys.value, null)
    else this.#showError(keys.error)
  }

  async #open(keys: readonly string[], website: WebsiteView | null): Promise<void> {
    const counts = await this.#app.bridge.countTags({ keys: [...keys] })
    if (!counts.ok) return this.#showError(counts.error)
    await this.#app.tags.load()
    const choiceOf = (count: number): TagChoice => (count === 0 ? false : count === keys.length || null)
    // A tag can have the name of an inherited property, such as "constructor".
    const countOf = (name: string): number => (Object.hasOwn(counts.value, name) ? (counts.value[name] ?? 0) : 0)
    this.#before = Object.fromEntries(this.#app.tags.names.map((name) => [name, choiceOf(countOf(name))]))
    this.choices = this.#before
    this.website = website
    this.note = website?.note ?? ''
    this.edit(null)
    this.#undos = []
    this.#assigned = false
    this.keys = keys
  }

  choose(name: string, chosen: boolean): void {
    this.choices = { ...this.choices, [name]: chosen }
  }

  /** Fills the fields with a tag. Null: for a new tag. */
  edit(tag: Tag | null): void {
    this.editing = tag
    this.name = tag?.name ?? ''
    this.color = tag?.colour ?? tagColors[(this.#app.tags.entries.length + 1) % tagColors.length] ?? 'gray'
    this.error = null
  }

  /** Stores the tag in the fields. The checkbox of a new tag is then checked. Returns false on an error. */
  async saveTag(): Promise<boolean> {
    const { editing, color } = this
    // Main has an error text for a name that is too long, but rejects an extremely long one without a text. So the name is cut.
    const name = this.name.trim().slice(0, 2 * MAX_TAG_NAME)
    const answer = await this.#app.bridge.saveTag({ was: editing?.name ?? null, name, colour: color })
    this.error = answer.ok ? null : answer.error
    if (!answer.ok) return false
    const { columns } = this.#app.websites
    // Adding the first tag shows the column of tags.
    if (this.#app.tags.entries.length === 0 && !columns.has('tags')) columns.toggle('tags')
    const tag = answer.value.name
    this.choices = { ...this.choices, [tag]: editing ? (this.choices[editing.name] ?? false) : true }
    if (editing) this.#before = { ...this.#before, [tag]: this.#before[editing.name] ?? false }
    const text = () =>
      editing ? m.tag_restored({ name: isolateText(editing.name) }) : m.tag_deleted({ name: isolateText(tag) })
    this.#undos.unshift({ run: () => this.#undoTag(tag, editing), text })
    this.#saved = m.tag_saved({ name: isolateText(tag) })
    await this.#app.tags.load()
    if (editing) await this.#follow(editing.name, tag)
    await this.#app.tags.reload()
    this.edit(null)
    return true
  }

  /** Deletes a new tag that no website has, or restores the former name and color. Returns 0 if there is nothing to undo. */
  async #undoTag(name: string, former: Tag | null): Promise<Result<number>> {
    const { bridge } = this.#app
    if (former === null) return bridge.removeTag({ name, unused: true })
    const listed = await bridge.listTags()
    if (!listed.ok) return listed
    if (!listed.value.tags.some((tag) => isSameTag(tag.name, name))) return ok(0)
    const undone = await bridge.saveTag({ was: name, ...former })
    if (!undone.ok) return undone
    await this.#follow(name, former.name)
    return ok(1)
  }

  /** Replaces the former name of a tag in the search and the saved views. */
  async #follow(was: string, name: string): Promise<void> {
    this.#app.websites.search = renameInSearch('tag', this.#app.websites.search, was, name)
    await this.#app.views.load()
  }

  async confirmRemoval(): Promise<void> {
    const { removing } = this
    this.removing = null
    if (removing === null) return
    const answer = await this.#app.bridge.removeTag({ name: removing.name })
    this.error = answer.ok ? null : answer.error
    if (!answer.ok) return
    const name = isolateText(removing.name)
    const undos = [this.#undoOf(answer.value, () => m.tag_restored({ name })), ...this.#undos.splice(0)]
    this.#assigned = false
    this.#offerUndo(m.tag_deleted({ name }), undos)
    await this.#app.tags.reload()
    this.edit(null)
  }

  /** Stores the choices and the note, after adding the tag whose name is typed. */
  async save(): Promise<void> {
    if (this.busy || this.keys === null) return
    this.busy = true
    const saved = (this.name.trim() === '' || (await this.saveTag())) && (await this.#store(this.keys))
    this.busy = false
    if (!saved) return
    this.keys = null
    await this.#app.tags.reload()
  }

  /** Stores the changed checkboxes and the note. On an error, returns false and sets `error`. */
  async #store(keys: readonly string[]): Promise<boolean> {
    const moved = this.#app.tags.names.filter((name) => this.choices[name] !== (this.#before[name] ?? false))
    const [add, remove] = [true, false].map((chosen) => moved.filter((name) => this.choices[name] === chosen))
    const { bridge } = this.#app
    const { website, note, choices } = this
    const tagText = this.#saved
    const domain = website ? shortDomain(website.domain) : ''
    const tagsText = (count: number) => (website ? m.tags_restored_of({ domain }) : m.tags_restored({ count }))
    const noteText = () => m.note_restored_of({ domain })
    const keep = (answer: Result<number>, undone: Undo['text']): boolean => {
      this.error = answer.ok ? null : answer.error
      if (answer.ok) this.#undos.unshift(this.#undoOf(answer.value, undone))
      if (answer.ok && website) this.#saved = m.tags_saved_of({ domain })
      return answer.ok
    }
    const isNoteChanged = website !== null && note.trim() !== (website.note ?? '')
    if (moved.length > 0) {
      if (!keep(await bridge.assignTags({ keys: [...keys], add: add ?? [], remove: remove ?? [] }), tagsText))
        return false
      // The tags are stored now, even if storing the note fails.
      this.#before = choices
      this.#assigned = true
    }
    if (isNoteChanged && !keep(await bridge.setNote({ key: website.key, note }), noteText)) return false
    if (this.#undos.length === 0) return true
    // The tags that were saved before have their own toast, because the toast of the note doesn't name them.
    if (!this.#assigned && isNoteChanged && this.#undos.length > 1) this.#offerUndo(tagText, this.#undos.splice(1))
    const ofNote = this.#assigned ? m.tags_note_saved_of : m.note_saved_of
    const ofWebsite = isNoteChanged ? ofNote : m.tags_saved_of
    const text = website ? ofWebsite({ domain }) : m.tags_saved({ count: keys.length })
    this.#offerUndo(moved.length > 0 || isNoteChanged ? text : this.#saved, this.#undos.splice(0))
    return true
  }

  /** Returns the undo of a stored change to tags or a note. `change`: its number. */
  #undoOf(change: number, text: Undo['text']): Undo {
    return { run: () => this.#app.bridge.undoTags({ change }), text }
  }

  /** Shows a toast with an Undo button for tags and notes. If it is tried again, it goes on with what is not undone. */
  #offerUndo(text: string, undos: readonly Undo[]): void {
    const { toasts } = this.#app
    let left = undos
    toasts.showUndo(text, m.common_undo(), async () => {
      const restored: string[] = []
      for (const undo of left) {
        const undone = await undo.run()
        if (!undone.ok) {
          await this.#app.tags.reload()
          return undone.error
        }
        left = left.slice(1)
        const text = undo.text(undone.value)
        if (undone.value > 0 && !restored.includes(text)) restored.push(text)
      }
      toasts.show(restored.length > 0 ? joinSentences(restored) : m.pending_undo_nothing())
      await this.#app.tags.reload()
      return null
    })
  }

  cancel(): void {
    this.keys = null
    this.removing = null
    if (this.#undos.length === 0) return
    this.#offerUndo(this.#saved, this.#undos.splice(0))
    void this.#app.tags.reload()
  }

  reset(): void {
    this.#undos = []
    this.cancel()
  }

  #showError(error: AppError): void {
    this.#app.toasts.show(fullErrorText(error))
  }
}
