import type { WebsiteView } from '../../../src/shared/website.ts'

/** What the bare table shows: the app's own rows, in as many of them at once. */
export interface Shown {
  websites: readonly Pick<
    WebsiteView,
    'key' | 'id' | 'domain' | 'privacy' | 'email' | 'exclude_bots' | 'created_at' | 'state'
  >[]
  /** Of what scrolls, in CSS pixels. */
  height: number
  /** Of a row, in CSS pixels. */
  row: number
}
