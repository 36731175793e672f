import { ok, type Result } from '../../../shared/result.ts'
import { isUnreadable, type Edit } from '../model/edit.ts'
import { FORMAT, VERSION, type ConnectionIdentity, type ExportedWebsite } from './export-file.ts'
import type { OutboxStore } from '../ports.ts'

/** Edits that are written down in a few milliseconds. */
const SLICE = 100

export interface Exported {
  text: string
  edits: number
  /** Passwords that were left out. */
  secrets: number
}

const SAID =
  'Changes of websites that wait to be sent. Statistics passwords are left out: they have to be typed anew after an import.'

/**
 * Every edit that waits, as text to keep; no secret is in it. In slices, between which others get their turn (`pause`):
 * an edit that is sent meanwhile may be in it, and is known as sent when the file is imported. Errors: `storage`.
 */
export async function exportEdits(
  store: OutboxStore,
  connection: ConnectionIdentity,
  pause: () => Promise<void>,
): Promise<Result<Exported>> {
  const known = new Set<string>()
  const websites: string[] = []
  const lines: string[] = []
  let secrets = 0
  for (let from = 0; ; await pause()) {
    const page = store.read(() =>
      ok(store.editsFrom(from, SLICE).map((edit) => ({ edit, website: newWebsiteOf(edit) }))),
    )
    if (!page.ok) return page
    for (const { edit, website } of page.value) {
      from = edit.seq + 1
      if (website !== null) websites.push(JSON.stringify(website))
      lines.push(lineOf(edit))
      secrets += Number(edit.sealed !== null)
    }
    if (page.value.length < SLICE) break
  }
  return ok({ text: textOf(connection, websites, lines), edits: lines.length, secrets })

  /** Null: it's written down already. */
  function newWebsiteOf({ website: key }: Edit): ExportedWebsite | null {
    if (known.has(key)) return null
    known.add(key)
    return store.website(key)
  }
}

/** One line for each, so that people can read it. */
const textOf = (connection: ConnectionIdentity, websites: string[], edits: string[]): string =>
  [
    `{"format":${JSON.stringify(FORMAT)},"version":${String(VERSION)},"about":${JSON.stringify(SAID)},`,
    `"connection":${JSON.stringify(connection)},`,
    `"websites":[`,
    websites.join(',\n'),
    `],"edits":[`,
    edits.join(',\n'),
    ']}\n',
  ].join('\n')

function lineOf(edit: Edit): string {
  const { sealed, seq, standing, ...rest } = edit
  void seq
  // What is under way now will be in doubt when this is read.
  const kept = standing.state === 'sending' ? { state: 'inDoubt', error: null } : standing
  return JSON.stringify({ ...rest, password: sealed !== null, standing: isUnreadable(edit) ? standing : kept })
}
