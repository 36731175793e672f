import { privacyLabel, onOffText, UNKNOWN } from '../../../shared/display/fields.ts'
import { m } from '../../../messages/index.ts'
import type { ColumnName } from '../../../shared/list-settings.ts'
import type { WebsiteView } from '../../../shared/website.ts'
import { formatDay, formatExact, formatNumber } from '../../../shared/display/format.ts'
import { revealHidden } from '../../../shared/display/visible.ts'

export interface Cell {
  text: string
  /** Returns the tooltip, which is built when it is needed. */
  title?: () => string
  /** True if the value is the default or less important than the others. */
  faint?: boolean
}

/** Maximum number of lines of a list in a tooltip. */
const LINES_IN_TITLE = 20

/** Returns the content of each column that contains only a text. */
export const cellContent: Record<Exclude<ColumnName, 'state' | 'tags'>, (website: WebsiteView) => Cell> = {
  privacy: ({ privacy }) => ({ text: privacyLabel(privacy) }),
  email: ({ email }) => ({ text: onOffText(email), faint: !email }),
  bots: ({ exclude_bots }) => ({ text: onOffText(exclude_bots), faint: exclude_bots !== false }),
  ips: ({ exclude_ips }) => lineCountCell(exclude_ips),
  params: ({ exclude_params }) => lineCountCell(exclude_params),
  id: ({ id }) => ({ text: id === null ? m.list_cell_not_sent() : revealHidden(id), faint: true }),
  changed: ({ updated_at }) => dayCell(updated_at, UNKNOWN),
  created: ({ created_at, id }) => dayCell(created_at, id === null ? m.list_cell_not_sent() : UNKNOWN),
}

/** Returns the number of lines of a list as a cell, with the first lines in the tooltip. */
const lineCountCell = (list: readonly string[] | undefined): Cell => ({
  text: list === undefined ? UNKNOWN : formatNumber(list.length),
  ...(list?.length && { title: () => firstLines(list) }),
  faint: !list?.length,
})

const firstLines = (list: readonly string[]): string =>
  [...list.slice(0, LINES_IN_TITLE).map(revealHidden), ...(list.length > LINES_IN_TITLE ? ['…'] : [])].join('\n')

/** Returns the day of a time as a cell, with the exact time in the tooltip. `none`: the text if there is no time. */
const dayCell = (written: string | undefined, none: string): Cell =>
  written ? { text: formatDay(written), title: () => formatExact(written), faint: true } : { text: none, faint: true }
