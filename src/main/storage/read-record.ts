import { isWebsiteId, MOST_TYPED, type WebsiteRecord } from '../../shared/website.ts'
import { readJson } from './json.ts'

type Is = (value: unknown) => boolean

const isText: Is = (value) => typeof value === 'string'
const isToggle: Is = (value) => typeof value === 'boolean'
const isPrivacy: Is = (value) => value === 0 || value === 1 || value === 2
const isLine: Is = (line) => typeof line === 'string' && line.length <= MOST_TYPED.line
const isLines: Is = (value) => Array.isArray(value) && value.length <= MOST_TYPED.lines && value.every(isLine)

/** Of those fields that may be absent, what each is. */
const fields = {
  privacy: isPrivacy,
  email: isToggle,
  password: isToggle,
  exclude_bots: isToggle,
  exclude_ips: isLines,
  exclude_params: isLines,
  created_at: isText,
  updated_at: isText,
} satisfies Record<Exclude<keyof WebsiteRecord, 'id' | 'domain' | 'extra'>, Is>

/**
 * A record as it's on disk, by the rules of websiteRecordSchema, but in plain functions: each row of a list is read so, and
 * the schema takes several times as long. Null: it can't be read, and is as one that was never shown; the next refresh
 * brings it anew.
 */
export function readRecord(text: string): WebsiteRecord | null {
  const value = readJson(text)
  return isObject(value) && isRecord(value) ? value : null
}

function isRecord(value: Record<string, unknown>): value is WebsiteRecord {
  const { id, domain, extra } = value
  if (typeof id !== 'string' || !isWebsiteId(id) || !isText(domain) || !isObject(extra)) return false
  for (const name of Object.keys(fields) as (keyof typeof fields)[]) {
    if (value[name] !== undefined && !fields[name](value[name])) return false
  }
  return true
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
