import type { Tag } from '../../../shared/local-data.ts'
import { isSameTag, type TagColor } from '../../../shared/tags.ts'
import { coalesced } from '../../lib/coalesced.ts'
import type { BaseApp } from '../../app/base-app.ts'

interface App extends Pick<BaseApp, 'bridge'> {
  readonly websites: {
    readonly columns: { hasTags: boolean }
    readonly selection: { namesChanged(): void }
    load(): Promise<void>
  }
  readonly editor: { websitesChanged(keys: string[] | null): Promise<void> }
}

/** The tags of the connection. */
export class TagList {
  readonly #app: App

  entries: readonly Tag[] = $state.raw([])
  /** True if a website has a note. */
  hasNotes = $state(false)

  readonly names: readonly string[] = $derived(this.entries.map(({ name }) => name))

  constructor(app: App) {
    this.#app = app
  }

  readonly load = coalesced(async () => {
    const answer = await this.#app.bridge.listTags()
    if (!answer.ok) return
    this.entries = answer.value.tags
    this.hasNotes = answer.value.hasNotes
    this.#app.websites.columns.hasTags = answer.value.tags.length > 0
  })

  /** Reloads the tags, and then the list and the editor, which show tags. */
  async reload(): Promise<void> {
    // The tags come first, because a list that filters by an unknown tag is empty.
    await this.load()
    this.#app.websites.selection.namesChanged()
    await Promise.all([this.#app.websites.load(), this.#app.editor.websitesChanged(null)])
  }

  /** Returns the color of a tag; gray if the tag doesn't exist. */
  colorOf(name: string): TagColor {
    return this.entries.find((tag) => isSameTag(tag.name, name))?.colour ?? 'gray'
  }

  reset(): void {
    this.entries = []
    this.hasNotes = false
    this.#app.websites.columns.hasTags = false
  }
}
