import Papa from 'papaparse'
import { fieldNames, LINE_SEPARATOR } from '../../shared/fields.ts'
import { escapeFormulas } from '../../shared/formula.ts'

/** Converts a JSON list of websites, such as an export, to CSV without passwords. Null for any other text. */
export function csvOfJson(text: string): string | null {
  if (!/^\s*[[{]/.test(text)) return null
  const websites = websitesOf(text).filter(isRecord)
  const fields = fieldNames.filter((name) => name !== 'password' && websites.some((website) => name in website))
  if (!fields.includes('domain')) return null
  const rows = websites.map((website) => fields.map((name) => escapeFormulas(jsonCell(website[name]))))
  return Papa.unparse([fields, ...rows], { newline: '\n' })
}

/** Returns the entries of a JSON list, or of `websites` in an exported object. Empty for any other text. */
function websitesOf(text: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(text.trim())
    const list = isRecord(parsed) && !Array.isArray(parsed) ? parsed['websites'] : parsed
    return Array.isArray(list) ? list : []
  } catch {
    return []
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Returns a JSON value as the text of a cell. A list has one entry per line. Null and objects are ''. */
function jsonCell(value: unknown): string {
  if (Array.isArray(value)) return value.map(jsonCell).join(LINE_SEPARATOR)
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}
