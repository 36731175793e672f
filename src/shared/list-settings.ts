import { settingColumns } from './fields.ts'

/**
 * How the list of websites is arranged, as plain values: the screens are built from them without any schema. The domain is
 * always there; these stand beside it, in this order.
 */
export const columnNames = ['state', ...settingColumns, 'id', 'changed', 'created'] as const
export type ColumnName = (typeof columnNames)[number]

export const defaultColumns: readonly ColumnName[] = ['state', 'privacy', 'email', 'bots', 'created']

/** How wide one may be made, in rem. */
export const COLUMN_WIDTH = { least: 3, most: 40 } as const

/** What it can be exported as. */
export const listFormats = ['csv', 'json'] as const
export type ListFormat = (typeof listFormats)[number]
