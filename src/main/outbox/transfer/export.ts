import { ok, type Result } from '../../../shared/result.ts'
import type { WebsiteRecord } from '../../../shared/website.ts'
import { theirsOf, type Edit } from '../model/edit.ts'
import { FORMAT, VERSION, type ConnectionIdentity, type ExportedWebsite } from './export-file.ts'
import type { OutboxStore } from '../ports.ts'

/** Number of edits that are written in a few milliseconds. */
const EDITS_PER_SLICE = 100

/** The text of an export file, with the counts that the user is shown. */
export interface QueueExport {
  text: string
  /** Number of edits in the text. */
  edits: number
  /** The number of passwords that were left out. */
  secrets: number
}

/** Explains the file to a person who opens it. */
const ABOUT = 'Pending changes to websites. Statistics passwords aren’t included. Enter them again after the import.'

/**
 * Exports every pending edit as text without secrets, in slices, with a `pause` between them. An edit that is sent during the
 * export may be included; an import here then skips it as applied. Errors: `storage`.
 */
export async function exportEdits(
  store: OutboxStore,
  connection: ConnectionIdentity,
  pause: () => Promise<void>,
): Promise<Result<QueueExport>> {
  const exported = new Set<string>()
  const websites: string[] = []
  const lines: string[] = []
  let secrets = 0
  for (let from = 0; ; await pause()) {
    const page = store.read(() =>
      ok(store.editsFrom(from, EDITS_PER_SLICE).map((edit) => ({ edit, website: newWebsiteOf(edit) }))),
    )
    if (!page.ok) return page
    for (const { edit, website } of page.value) {
      from = edit.seq + 1
      if (website !== null) websites.push(JSON.stringify(website))
      lines.push(lineOf(edit))
      secrets += Number(edit.sealed !== null)
    }
    if (page.value.length < EDITS_PER_SLICE) break
  }
  return ok({ text: textOf(connection, websites, lines), edits: lines.length, secrets })

  /** Returns the website of an edit, or null if it is written already. */
  function newWebsiteOf({ website: key, base }: Edit): ExportedWebsite | null {
    if (exported.has(key)) return null
    exported.add(key)
    const website = store.website(key)
    if (website === null) return null
    // An imported edit stays bound to the domain that the user has confirmed, even if the website has another one here.
    return { ...website, domain: base.domain ?? website.domain, record: withoutExtra(website.record) }
  }
}

/** Writes one line for each website and edit, so that people can read the file. */
const textOf = (connection: ConnectionIdentity, websites: string[], edits: string[]): string =>
  [
    `{"format":${JSON.stringify(FORMAT)},"version":${String(VERSION)},"about":${JSON.stringify(ABOUT)},`,
    `"connection":${JSON.stringify(connection)},`,
    `"websites":[`,
    websites.join(',\n'),
    `],"edits":[`,
    edits.join(',\n'),
    ']}\n',
  ].join('\n')

/** Returns a record without its unknown fields, because one of them might be a secret. */
const withoutExtra = (record: WebsiteRecord | null): WebsiteRecord | null =>
  record === null ? null : { ...record, extra: {} }

/** Returns an edit as JSON without its password and its place in the queue. */
function lineOf(edit: Edit): string {
  const { sealed, seq, standing, ...rest } = edit
  void seq
  // An edit that is being sent counts as in doubt when the file is imported.
  const current = standing.state === 'sending' ? { state: 'inDoubt', error: null } : standing
  const theirs = theirsOf(edit)
  const shown = theirs === null ? current : { ...current, theirs: withoutExtra(theirs) }
  // The domain is that of the exported website.
  const base = { ...rest.base, domain: undefined }
  return JSON.stringify({ ...rest, base, password: sealed !== null, standing: shown })
}
