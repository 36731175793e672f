import { isUsualRecord } from '../../shared/usual-website.ts'
import { websiteRecordSchema, type WebsiteRecord } from '../../shared/website.ts'
import { readJson } from './json.ts'

/**
 * A record as it's on disk. Null: it can't be read, and is as one that was never shown; the next refresh brings it anew.
 */
export function readRecord(text: string): WebsiteRecord | null {
  const value = readJson(text)
  return isUsualRecord(value) ? value : (websiteRecordSchema.safeParse(value).data ?? null)
}
