import type { ColumnName } from '../../../shared/list-settings.ts'

/** How many pixels a rem is now: it follows the size of the text. */
export const rem = (): number => parseFloat(getComputedStyle(document.documentElement).fontSize)

/**
 * How wide a column has to be, in rem, for nothing of it that is drawn to be cut; `within`: something of the grid. The browser
 * itself measures it: for a moment the column is as wide as what is in it.
 */
export function contentWidth(
  within: HTMLElement,
  name: ColumnName,
  track: string,
  shown: readonly ColumnName[],
): number {
  const grid = within.closest<HTMLElement>('[role="grid"]')
  if (!grid) return 0
  const tracks = track.split(' ').slice(-shown.length)
  tracks[shown.indexOf(name)] = 'max-content'
  grid.style.setProperty('--columns', `minmax(0, 1fr) ${tracks.join(' ')}`)
  const cells = [...grid.querySelectorAll(`[data-column="${name}"]`)]
  const widest = Math.max(0, ...cells.map((cell) => cell.getBoundingClientRect().width))
  grid.style.setProperty('--columns', track)
  return Math.ceil((widest / rem()) * 10) / 10
}
