/** What is wrong with the search; it stands in the place of the rows. */
export const PROBLEM_ID = 'search-problem'

/** Where the keys of a list lead to from row `at`, of `count` rows with `page` of them in view; null: nowhere. */
export function rowAfter(key: string, { at, count, page }: { at: number; count: number; page: number }): number | null {
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

/** The number of the row that an element has the focus of, counted from the first one shown; null: of none. */
export const rowOf = (target: EventTarget | null): number | null => {
  const row = target instanceof HTMLElement ? target.dataset['row'] : undefined
  return row === undefined ? null : Number(row)
}

/** What has the focus, and the keys, of the row that this is in. */
export const buttonOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? (target.closest('[role="row"]')?.querySelector<HTMLElement>('[data-row]') ?? null) : null
