import type { Edit } from './edit.ts'
import type { OutboxStore, Website } from '../ports.ts'

/** The first edit of a website, which is the next one of it to be sent. */
export interface NextEdit {
  edit: Edit
  website: Website
  /** All edits of the website, in order. */
  edits: readonly Edit[]
}

/** Returns the first edit of a website, or null if the website is null or has no edit. */
export function nextEditOf(store: OutboxStore, website: Website | null): NextEdit | null {
  if (website === null) return null
  const edits = store.editsOf(website.key)
  return edits[0] === undefined ? null : { edit: edits[0], website, edits }
}
