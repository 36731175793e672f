import type { ColumnName } from '../../../shared/list-settings.ts'

/** Returns the size of one rem in CSS pixels. */
export const remInPixels = (): number => parseFloat(getComputedStyle(document.documentElement).fontSize)

/**
 * Returns the width in rem that a column needs for its drawn content, by setting its width to `max-content` for a moment.
 * `within`: an element of the grid.
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
  return Math.ceil((widest / remInPixels()) * 10) / 10
}
