import type { FieldName } from '../../../shared/website.ts'

/** Focuses a field of the editor. For radio buttons, focuses the checked one. */
export function focusField(name: FieldName): void {
  const field = document.querySelector<HTMLElement>(`form [data-field="${name}"]`)
  const control = field?.querySelector<HTMLElement>('input:checked') ?? field?.querySelector('input, textarea')
  if (control instanceof HTMLElement) control.focus()
}
