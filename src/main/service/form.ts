import { tidyLines } from '../../shared/validate.ts'
import { fieldTable } from '../../shared/fields.ts'
import { fieldNames, PRIVACY, type FieldName, type WebsiteChanges, type WebsiteDraft } from '../../shared/website.ts'

/** Form fields in the order in which they are sent. */
export type Form = [FieldName, string][]

/**
 * The form fields of a write: those given, in the order of `fieldNames`; integers for `privacy` and the switches, lists
 * one entry a line, an empty list as an empty value, which clears it (docs/interface.md#website-fields).
 */
function websiteForm(fields: WebsiteChanges & { domain?: string }): Form {
  const form: Form = []
  for (const name of fieldNames) {
    const value = fields[name]
    if (value !== undefined) form.push([name, formValue(value)])
  }
  return form
}

/**
 * A create sends every field that has a default, since hosts differ where they are left out, and what was filled in
 * beside: no empty list, and a password only with privacy 2 (docs/interface.md#requests).
 */
export function createForm(draft: WebsiteDraft): Form {
  return websiteForm(draft).filter(([name, value]) => {
    const { kind } = fieldTable[name]
    if (kind === 'secret') return draft.privacy === PRIVACY.password
    return kind !== 'list' || value !== ''
  })
}

/** An update sends only the fields given, and never the domain (docs/interface.md#requests). */
export function updateForm(changes: WebsiteChanges): Form {
  return websiteForm(changes).filter(([name]) => name !== 'domain')
}

/** As `application/x-www-form-urlencoded`. */
export const encodeForm = (form: Form): string => new URLSearchParams(form).toString()

function formValue(value: string | number | boolean | string[]): string {
  if (Array.isArray(value)) return tidyLines(value).join('\n')
  return typeof value === 'boolean' ? String(Number(value)) : String(value)
}
