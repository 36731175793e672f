import { m } from '../../../messages/index.ts'
import { normalizeDomain } from '../../../shared/domain.ts'
import { createDefaults, listNames } from '../../../shared/fields.ts'
import { readJson } from '../../../shared/json.ts'
import { fail, ok, type AppError, type Result } from '../../../shared/result.ts'
import { checkChanges, checkDraft, tidyLines } from '../../../shared/validate.ts'
import {
  exportedEditSchema,
  exportedWebsiteSchema,
  fileSchema,
  headSchema,
  VERSION,
  type ConnectionIdentity,
  type ExportedEdit,
  type ExportedWebsite,
} from './export-file.ts'

/** Maximum number of characters, about twenty times that of ten thousand edits. A longer file is a `bad-file`. */
const MAX_TEXT = 128 * 1024 * 1024
/** Maximum depth of nested objects and lists. A deeper file is a `bad-file`. An export has about seven levels. */
const MAX_DEPTH = 100

/** An edit in an imported file, and its website. */
export interface ImportRow {
  /** Null if the edit cannot be read. */
  edit: ExportedEdit | null
  /** Null if the file does not contain the website. */
  website: ExportedWebsite | null
  /**
   * True if the website has no id, and the file has another website with its domain and an id. Both may exist side by side, so
   * the domain does not count as taken.
   */
  hasTwinOnService: boolean
  error: AppError | null
}

/** The checked content of an export file. */
export interface ImportFile {
  connection: ConnectionIdentity
  websites: ExportedWebsite[]
  rows: ImportRow[]
}

const ROWS_PER_REPORT = 500

/**
 * Reads a file of exported edits and checks each row. Ten thousand edits take a second, so a worker does it (import-worker.ts).
 * `onProgress` gets the number of checked edits and their total. Errors: `bad-file`, `newer-version`.
 */
export function readImport(
  text: string,
  onProgress: (done: number, total: number) => void = () => {},
): Result<ImportFile> {
  const parsed = text.length > MAX_TEXT ? undefined : readJson(text)
  const head = headSchema.safeParse(parsed)
  if (!head.success) return fail('bad-file')
  if (head.data.version > VERSION) return fail('newer-version')
  const file = fileSchema.safeParse(parsed)
  if (!file.success || isTooDeep(parsed)) return fail('bad-file')
  const websites = file.data.websites.flatMap((row) => exportedWebsiteSchema.safeParse(row).data ?? [])
  const websitesByKey = new Map(websites.map((website) => [website.key, website]))
  const onService = new Set(websites.flatMap(({ id, domain }) => (id === null ? [] : [domain])))
  const rows = file.data.edits.map((row, n, { length }): ImportRow => {
    if (n % ROWS_PER_REPORT === 0) onProgress(n, length)
    const edit = exportedEditSchema.safeParse(row).data ?? null
    const website = websitesByKey.get(websiteNamedBy(row)) ?? null
    const checked = edit === null || website === null ? ok(undefined) : checkImported(edit, website)
    const hasTwinOnService = website?.id === null && onService.has(website.domain)
    return { edit, website, hasTwinOnService, error: checked.ok ? null : checked.error }
  })
  return ok({ connection: file.data.connection, websites, rows })
}

const isTooDeep = (value: unknown, depth = 0): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth >= MAX_DEPTH || Object.values(value).some((inner) => isTooDeep(inner, depth + 1)))

/** Returns the key that the file gives to the row's website, even if the edit cannot be read. Empty if there is none. */
function websiteNamedBy(row: unknown): string {
  const website: unknown = typeof row === 'object' && row !== null && 'website' in row ? row.website : ''
  return typeof website === 'string' ? website : ''
}

/** Checks that a user here could have made the edit. Errors: `invalid-input` with `fields`, `bad-file`. */
function checkImported(edit: ExportedEdit, website: ExportedWebsite): Result<void> {
  const domain = normalizeDomain(website.domain)
  // A website that is not created yet is found by its domain, which must be normalized.
  const isAnother = website.id === null && domain !== website.domain
  if (edit.kind === 'create' && (domain === null || isAnother)) {
    return fail('invalid-input', { fields: { domain: [m.input_domain_invalid()] } })
  }
  if (!isTidy(edit) || !hasNormalizedDomains(edit)) return fail('bad-file')
  const { settings, kind, password } = edit
  if (kind === 'update' && Object.keys(settings).length === 0 && !password && edit.standing.state !== 'parked') {
    return fail('bad-file')
  }
  const fields =
    kind === 'create'
      ? checkDraft({ ...createDefaults, ...settings, domain: website.domain }, true)
      : // A list may be longer than allowed, because the service has or had it: it was shortened, or an undo brings it back.
        checkChanges(settings, settings)
  return Object.keys(fields).length === 0 ? ok(undefined) : fail('invalid-input', { fields })
}

/** The undo of a save gives the website the domain in that save, so the domain must be normalized. */
const hasNormalizedDomains = ({ note }: ExportedEdit): boolean =>
  (note?.saves ?? []).every(({ domain }) => domain === undefined || normalizeDomain(domain) === domain)

/** The service would store a trailing space, and the line would never match. */
const isTidy = ({ settings }: ExportedEdit): boolean =>
  listNames.every((name) => {
    const lines = settings[name]
    return lines === undefined || JSON.stringify(tidyLines(lines)) === JSON.stringify(lines)
  })
