/**
 * What must never be: an acknowledged edit that is gone (`lost`), and nobody was told (`silent`); one that is shown as
 * failed and was applied, or the other way round (`false`); a website that isn't as it should be (`wrong`).
 */
export type Count = 'lost' | 'silent' | 'false' | 'wrong'
export interface Finding {
  count: Count
  /** Of which website, and what. */
  what: string
}
