import { websiteRecordSchema, type WebsiteRecord } from '../../shared/website.ts'
import { readJson } from './json.ts'

/**
 * Parses a record from disk. Returns null if the text is damaged: the website then counts as never shown, and the next
 * refresh reads it again.
 */
export function readRecord(text: string): WebsiteRecord | null {
  return websiteRecordSchema.safeParse(readJson(text)).data ?? null
}
