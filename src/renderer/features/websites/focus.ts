/** Id of the explanation of a wrong search, which is shown instead of rows. */
export const SEARCH_PROBLEM_ID = 'search-problem'

/**
 * Returns the row that a key of the list leads to from row `at`, with `count` rows in all and `page` visible ones. Null
 * for any other key, and if there are no rows.
 */
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

/** Returns the number of the row whose button is given, counted from the first one shown; null for any other element. */
export const rowNumberOf = (target: EventTarget | null): number | null => {
  const row = target instanceof HTMLElement ? target.dataset['row'] : undefined
  return row === undefined ? null : Number(row)
}

/** Returns the button of the row that contains an element. The button has the focus and handles keys. */
export const rowButtonOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? (target.closest('[role="row"]')?.querySelector<HTMLElement>('[data-row]') ?? null) : null
