import { privacyLabel, onOffText, UNKNOWN } from '../../../shared/display/fields.ts'
import { m } from '../../../messages/index.ts'
import type { ColumnName } from '../../../shared/list-settings.ts'
import type { WebsiteView } from '../../../shared/website.ts'
import { formatDay, formatExact, formatNumber } from '../../../shared/display/format.ts'
import { revealHidden } from '../../../shared/display/visible.ts'

/** The content of a cell in the list of websites. */
export interface Cell {
  text: string
  /** A function, because the tooltip is computed only when it is shown. */
  title?: () => string
  /** True if the value is the default, or less important. */
  faint?: boolean
}

const MAX_LINES_IN_TOOLTIP = 20

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

/** The number of lines, with the first lines in the tooltip. */
const lineCountCell = (list: readonly string[] | undefined): Cell => ({
  text: list === undefined ? UNKNOWN : formatNumber(list.length),
  ...(list?.length && { title: () => firstLines(list) }),
  faint: !list?.length,
})

const firstLines = (list: readonly string[]): string =>
  [...list.slice(0, MAX_LINES_IN_TOOLTIP).map(revealHidden), ...(list.length > MAX_LINES_IN_TOOLTIP ? ['…'] : [])].join(
    '\n',
  )

/** The day of a time, with the exact time in the tooltip. `none`: the text without a time. */
const dayCell = (written: string | undefined, none: string): Cell =>
  written ? { text: formatDay(written), title: () => formatExact(written), faint: true } : { text: none, faint: true }
