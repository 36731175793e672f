import type { FieldName } from '../../../shared/website.ts'
import type { WebsiteForm } from './website-form.svelte.ts'

/** The parts of the editor that each field uses. */
export interface FieldContext {
  readonly form: WebsiteForm
  /** Returns the errors of a field, from validation or from the service. */
  errorsOf(name: FieldName): readonly string[]
  /** Restores the website's value and focuses the field. */
  putBack(name: FieldName): void
  /** Keeps the typed value, although the website's value has changed since. */
  keepMine(name: FieldName): void
}
