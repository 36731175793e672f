import { settingColumns } from './fields.ts'

/** The columns of the website list, in this order; the domain is always shown. */
export const columnNames = ['state', 'tags', ...settingColumns, 'id', 'changed', 'created'] as const
export type ColumnName = (typeof columnNames)[number]

export const defaultColumns: readonly ColumnName[] = ['state', 'privacy', 'email', 'bots', 'created']

/** Minimum and maximum width of a column, in rem. */
export const COLUMN_WIDTH = { min: 3, max: 40 } as const

/** The export formats of the list. */
export const listFormats = ['csv', 'csv-semicolon', 'json'] as const
export type ListFormat = (typeof listFormats)[number]

/** The separators of the cells. Where numbers have a decimal comma, spreadsheets expect the semicolon. */
export const cellSeparators = { csv: ',', 'csv-semicolon': ';' } as const satisfies Partial<Record<ListFormat, string>>
