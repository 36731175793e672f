import { m } from '../../../messages/index.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { checkChanges, checkDraft, tidyLines } from '../../../shared/validate.ts'
import { createDefaults, listNames } from '../../../shared/fields.ts'
import type { ExportedEdit, ExportedWebsite } from './export-file.ts'
import { normaliseDomain } from '../../../shared/domain.ts'

/** Checks that an edit of a file could have been made by a user here. Errors: `invalid-input` with `fields`, `bad-file`. */
export function checkImported(edit: ExportedEdit, website: ExportedWebsite): Result<void> {
  const domain = normaliseDomain(website.domain)
  // A website that is not created yet is found by its domain, which must be normalised.
  const isAnother = website.id === null && domain !== website.domain
  if (edit.kind === 'create' && (domain === null || isAnother)) {
    return fail('invalid-input', { fields: { domain: [m.input_domain_invalid()] } })
  }
  if (!isTidy(edit) || !hasNormalisedDomains(edit)) return fail('bad-file')
  const { settings, kind, password } = edit
  if (kind === 'update' && Object.keys(settings).length === 0 && !password && edit.standing.state !== 'parked') {
    return fail('bad-file')
  }
  const fields =
    kind === 'create'
      ? checkDraft({ ...createDefaults, ...settings, domain: website.domain }, true)
      : checkChanges(settings, {})
  return Object.keys(fields).length === 0 ? ok(undefined) : fail('invalid-input', { fields })
}

/** The undo of a save gives a website the domain from before. */
const hasNormalisedDomains = ({ note }: ExportedEdit): boolean =>
  (note?.saves ?? []).every(({ domain }) => domain === undefined || normaliseDomain(domain) === domain)

/** Lines must be trimmed: the service would store a trailing space, and the line would never match. */
const isTidy = ({ settings }: ExportedEdit): boolean =>
  listNames.every((name) => {
    const lines = settings[name]
    return lines === undefined || JSON.stringify(tidyLines(lines)) === JSON.stringify(lines)
  })
