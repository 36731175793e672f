import type { FieldName } from '../../../shared/website.ts'

/** Begins at a field of the editor: at what is typed into, or chosen. */
export function focusField(name: FieldName): void {
  const field = document.querySelector<HTMLElement>(`form [data-field="${name}"]`)
  const control = field?.querySelector<HTMLElement>('input:checked') ?? field?.querySelector('input, textarea')
  if (control instanceof HTMLElement) control.focus()
}
