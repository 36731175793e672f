import { m } from '../../../messages/index.ts'
import { shortDomain } from '../../../shared/display/domain.ts'
import type { EditView, ResolveWay } from '../../../shared/edit.ts'
import type { Question } from './edit-text.ts'

/** A way that resolves an edit as a whole, by one button, instead of field by field. */
type SingleWay = Exclude<ResolveWay, 'units'>

/** The labels of the buttons that resolve an edit, unless its reason needs another one. */
const resolveLabels: Record<SingleWay, () => string> = {
  adopt: m.resolve_adopt,
  recreate: m.resolve_recreate,
  delete: m.resolve_delete_anyway_ask,
  keep: m.resolve_keep,
}

/** Returns the label of the button that resolves a parked edit in this way. */
export function resolveLabel({ reason }: EditView, way: SingleWay): string {
  // The app had given up the create, so the website that has appeared is its own.
  if (reason === 'appeared' && way === 'adopt') return m.resolve_keep_mine()
  if (reason === 'appeared' && way === 'delete') return m.resolve_delete_ask()
  return resolveLabels[way]()
}

/** True if nothing has to be sent when the existing website is used. */
export const adoptSendsNothing = ({ ways, request }: EditView): boolean =>
  ways.includes('adopt') && request.method === 'PUT' && request.form.length === 0

/** Returns what a way of resolving leads to, if its button doesn't say it. */
export function resolveHint(edit: EditView, way: SingleWay): string | undefined {
  if (way === 'adopt' && edit.reason !== 'appeared')
    return adoptSendsNothing(edit) ? m.resolve_adopt_nothing() : m.resolve_adopt_hint()
  return way === 'recreate' ? m.resolve_recreate_hint() : undefined
}

/** Returns the question before a parked delete is sent, or before an appeared website is deleted. */
export function deleteAnywayQuestion(edit: EditView): Question {
  const domain = shortDomain(edit.domain)
  const [title, action] =
    edit.reason === 'appeared'
      ? [m.resolve_delete_question({ domain }), m.common_delete()]
      : [m.resolve_delete_anyway_question({ domain }), m.resolve_delete_anyway()]
  return { title, paragraphs: [m.delete_body()], action, danger: true }
}
