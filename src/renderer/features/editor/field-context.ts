import type { FieldName } from '../../../shared/website.ts'
import type { WebsiteForm } from './website-form.svelte.ts'

/** What every field of the editor needs of it. */
export interface FieldContext {
  readonly form: WebsiteForm
  /** What is wrong with a field: our own words, or the service's. */
  errorsOf(name: FieldName): readonly string[]
  /** Back to what the website has, with the focus at the field. */
  putBack(name: FieldName): void
  /** What is typed is to stand, knowing what the website has by now. */
  keepMine(name: FieldName): void
}
