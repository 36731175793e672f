/**
 * The kinds of mistakes: an acknowledged edit is gone (`lost`) and not shown (`silent`); an edit is shown with the wrong
 * outcome (`false`); a website has a wrong value (`wrong`).
 */
export type Count = 'lost' | 'silent' | 'false' | 'wrong'
export interface Finding {
  count: Count
  text: string
}
