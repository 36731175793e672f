import { settingColumns } from './fields.ts'

/** The columns of the website list, in this order; the domain is always shown. */
export const columnNames = ['state', 'tags', ...settingColumns, 'id', 'changed', 'created'] as const
export type ColumnName = (typeof columnNames)[number]

/** The columns that are shown until the user chooses others. */
export const defaultColumns: readonly ColumnName[] = ['state', 'privacy', 'email', 'bots', 'created']

/** In rem. */
export const COLUMN_WIDTH = { min: 3, max: 40 } as const

/** The formats of an exported list. */
export const listFormats = ['csv', 'csv-semicolon', 'json'] as const
export type ListFormat = (typeof listFormats)[number]

/** Spreadsheets expect the semicolon where numbers have a decimal comma. */
export const cellSeparators = { csv: ',', 'csv-semicolon': ';' } as const satisfies Partial<Record<ListFormat, string>>
