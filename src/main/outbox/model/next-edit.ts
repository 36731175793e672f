import type { Edit } from './edit.ts'
import type { OutboxStore, Website } from '../ports.ts'

/** The first edit of a website, which is sent next. */
export interface NextEdit {
  edit: Edit
  website: Website
  edits: readonly Edit[]
}

/** Returns the first edit of a website with all its edits, or null without edits. */
export function nextEditOf(store: OutboxStore, website: Website | null): NextEdit | null {
  if (website === null) return null
  const edits = store.editsOf(website.key)
  return edits[0] === undefined ? null : { edit: edits[0], website, edits }
}
