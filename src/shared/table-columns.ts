import { fieldTable, settingNames, type SettingName } from './fields.ts'

/** Maximum size of a table that is imported, in bytes: 20,000 websites with lists of fifty lines. */
export const MAX_TABLE_FILE = 64 * 1024 * 1024
/** Maximum number of rows of a table that is imported. */
export const MAX_TABLE_ROWS = 20_000

/** The columns of an exported table that can be edited. Tags and notes stay on this computer. */
export type TableColumn = 'id' | 'domain' | 'tags' | 'note' | SettingName

/** The columns that an export adds for information. An import ignores them. */
const READ_ONLY = ['password_set', 'created_at', 'updated_at', 'state', 'pending']

/** True for a column that an import ignores. */
export const isReadOnlyColumn = (name: string): boolean => READ_ONLY.includes(name)

/** Returns the column that a heading names, or null. */
export function columnForHeading(head: string): TableColumn | null {
  const name = head.trim().toLowerCase()
  if (name === 'id' || name === 'tags' || name === 'note') return name
  const names = ['domain', ...settingNames] as const
  return names.find((one) => one === name || (fieldTable[one].columns as readonly string[]).includes(name)) ?? null
}
