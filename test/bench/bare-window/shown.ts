import type { WebsiteView } from '../../../src/shared/website.ts'

/** The content of the bare table: the rows of the app's list, in as many DOM rows as the app draws. */
export interface Shown {
  websites: readonly Pick<
    WebsiteView,
    'key' | 'id' | 'domain' | 'privacy' | 'email' | 'exclude_bots' | 'created_at' | 'state'
  >[]
  /** Height of the scrolling box, in CSS pixels. */
  height: number
  /** Height of a row, in CSS pixels. */
  row: number
}
