import { ok, type Result } from '../../../shared/result.ts'
import type { WebsiteRecord } from '../../../shared/website.ts'
import { theirsOf, type Edit } from '../model/edit.ts'
import { FORMAT, VERSION, type ConnectionIdentity, type ExportedWebsite } from './export-file.ts'
import type { OutboxStore } from '../ports.ts'

/** Writing this many edits takes a few milliseconds. */
const EDITS_PER_SLICE = 100

/** The text of an export file and its counts. */
export interface QueueExport {
  text: string
  edits: number
  /** Number of passwords that were left out. */
  secrets: number
}

/** Explains the file to a person who opens it. */
const ABOUT = 'Pending changes to websites. Statistics passwords aren’t included. Enter them again after the import.'

/**
 * Exports every pending edit as text without secrets, in slices, with a `pause` between them. May include an edit that is sent
 * during the export: an import here then skips it as applied. Errors: `storage`.
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

  /** Returns null if the website is written already. */
  function newWebsiteOf({ website: key, base }: Edit): ExportedWebsite | null {
    if (exported.has(key)) return null
    exported.add(key)
    const website = store.website(key)
    if (website === null) return null
    // An imported edit stays bound to the domain that the user has confirmed, even if the website has another domain here.
    return { ...website, domain: base.domain ?? website.domain, record: withoutExtra(website.record) }
  }
}

/** Uses one line for each website and edit, so that people can read the file. */
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

/** Drops unknown fields, because one of them might be a secret. */
const withoutExtra = (record: WebsiteRecord | null): WebsiteRecord | null =>
  record === null ? null : { ...record, extra: {} }

/** Leaves out the password and the place in the queue. */
function lineOf(edit: Edit): string {
  const { sealed, seq, standing, ...rest } = edit
  void seq
  // An edit that is being sent counts as in doubt once it is imported.
  const current = standing.state === 'sending' ? { state: 'inDoubt', error: null } : standing
  const theirs = theirsOf(edit)
  const shown = theirs === null ? current : { ...current, theirs: withoutExtra(theirs) }
  // Left out: the exported website has the domain.
  const base = { ...rest.base, domain: undefined }
  return JSON.stringify({ ...rest, base, password: sealed !== null, standing: shown })
}
