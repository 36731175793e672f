import type { ColumnName } from '../shared/list-settings.ts'
import type { WebsiteView } from '../shared/website.ts'
import { dayOf, exactOf } from './dates.ts'
import { cellWords, listedWords } from './list.ts'
import { number } from './numbers.ts'
import { visible } from './visible.ts'
import { onOff, privacyOf } from './websites.ts'

/** What a cell of the list says. */
export interface CellWords {
  text: string
  /** More about it, on hover: asked for once the row stands still. */
  title?: () => string
  /** It's the usual, or of less weight than the others. */
  faint?: boolean
}

/** What each column but the state's says of a website. */
export const cellOf: Record<Exclude<ColumnName, 'state'>, (website: WebsiteView) => CellWords> = {
  privacy: ({ privacy }) => ({ text: privacyOf(privacy) }),
  email: ({ email }) => ({ text: onOff(email), faint: !email }),
  bots: ({ exclude_bots }) => ({
    text: exclude_bots === undefined ? cellWords.unknown : exclude_bots ? cellWords.excluded : cellWords.counted,
    faint: exclude_bots !== false,
  }),
  ips: ({ exclude_ips }) => lines(exclude_ips),
  params: ({ exclude_params }) => lines(exclude_params),
  id: ({ id }) => ({ text: id === null ? cellWords.notYet : visible(id), faint: true }),
  changed: ({ updated_at }) => time(updated_at, cellWords.unknown),
  created: ({ created_at, id }) => time(created_at, id === null ? cellWords.notYet : cellWords.unknown),
}

const lines = (list: readonly string[] | undefined): CellWords => ({
  text: list === undefined ? cellWords.unknown : number(list.length),
  ...(list?.length && { title: () => listedWords(list) }),
  faint: !list?.length,
})

const time = (written: string | undefined, none: string): CellWords =>
  written ? { text: dayOf(written), title: () => exactOf(written), faint: true } : { text: none, faint: true }
