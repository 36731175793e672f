import { m } from '../../../messages/index.ts'
import { shortDomain } from '../../../shared/display/domain.ts'
import type { EditView, ResolveWay } from '../../../shared/edit.ts'
import { onlyDeletesExisting, type Question } from './edit-text.ts'

/** A way that resolves the whole edit with one button, instead of field by field. */
type SingleWay = Exclude<ResolveWay, 'units'>

/** The labels of the buttons, unless the reason needs another one. */
const resolveLabels: Record<SingleWay, () => string> = {
  adopt: m.resolve_adopt,
  recreate: m.resolve_recreate,
  delete: m.resolve_delete_anyway_ask,
  keep: m.resolve_keep,
}

/** Returns the label of the button for a way to resolve a parked edit. */
export function resolveLabel(edit: EditView, way: SingleWay): string {
  const { reason } = edit
  if (onlyDeletesExisting(edit)) return m.resolve_adopt_delete_ask()
  // The website comes from a create that the app had given up, so it is the user's own.
  if (reason === 'appeared' && way === 'adopt') return m.resolve_keep_mine()
  if (reason === 'appeared' && way === 'delete') return m.resolve_delete_ask()
  return resolveLabels[way]()
}

/** True if nothing has to be sent after the user chooses the existing website. */
export const adoptSendsNothing = ({ ways, request }: EditView): boolean =>
  ways.includes('adopt') && request.form.length === 0

function adoptHint(edit: EditView): string {
  if (adoptSendsNothing(edit)) return m.resolve_adopt_nothing()
  // A list that the service doesn't show can't be merged, so it is replaced.
  const { mine, theirs } = edit.conflict ?? {}
  const replacesHidden = mine?.exclude_params !== undefined && theirs?.exclude_params === undefined
  return replacesHidden ? m.resolve_adopt_hint_hidden() : m.resolve_adopt_hint()
}

/** Returns the result of a way to resolve an edit, if the label of the button doesn't tell it. */
export function resolveHint(edit: EditView, way: SingleWay): string | undefined {
  if (onlyDeletesExisting(edit)) return m.resolve_adopt_delete_hint()
  if (way === 'adopt' && edit.reason !== 'appeared') return adoptHint(edit)
  return way === 'recreate' ? m.resolve_recreate_hint() : undefined
}

/** The question before a parked delete is sent, or a website is deleted that appeared late or existed before. */
export function deleteAnywayQuestion(edit: EditView): Question {
  const domain = shortDomain(edit.domain)
  const [title, action] =
    edit.kind === 'create'
      ? [m.resolve_delete_question({ domain }), m.common_delete()]
      : [m.resolve_delete_anyway_question({ domain }), m.resolve_delete_anyway()]
  return { title, paragraphs: [m.delete_body()], action, danger: true }
}
