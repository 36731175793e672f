/** The id of the text that explains an invalid search. */
export const SEARCH_PROBLEM_ID = 'search-problem'

/** Returns the row to which a key moves from row `at`, or null. `count`: number of rows. `page`: number of visible rows. */
export function rowReachedByKey(
  key: string,
  { at, count, page }: { at: number; count: number; page: number },
): number | null {
  const to = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: count - 1,
  }[key]
  return to === undefined || count === 0 ? null : Math.min(Math.max(to, 0), count - 1)
}

/** Returns the index of the row whose button this is, counted from the first shown row; null for other elements. */
export const rowNumberOf = (target: EventTarget | null): number | null => {
  const row = target instanceof HTMLElement ? target.dataset['row'] : undefined
  return row === undefined ? null : Number(row)
}

/** Returns the button of the row that contains an element. Each row has one, which takes the focus and the keys. */
export const rowButtonOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? (target.closest('[role="row"]')?.querySelector<HTMLElement>('[data-row]') ?? null) : null
