import { m } from '../../../messages/index.ts'
import type { EditView } from '../../../shared/edit.ts'
import { discardLabel } from './edit-text.ts'

/** What the user can do with a pending edit, besides resolving a conflict. */
export type EditAction = 'send' | 'edit' | 'undo' | 'discard'

/** Returns the actions for an edit, without the ways to resolve it, in the order of the buttons. */
export function editActions(edit: EditView): EditAction[] {
  const { can, kind, reason, state, ways } = edit
  const possible: Record<EditAction, boolean> = {
    // Queued edits are sent by the button above the list. If the website is gone, sending the edit again would change nothing.
    send: can.sendNow && state === 'parked' && reason !== 'gone',
    // A website that is gone or being deleted can't be edited.
    edit: kind !== 'delete' && !['gone', 'vanished', 'appeared', 'unreadable'].includes(reason ?? ''),
    // A parked edit can be discarded instead.
    undo: can.undo && state !== 'parked',
    // For a delete, "keep" already discards it.
    discard: can.discard && !ways.includes('keep'),
  }
  const order: EditAction[] = needsCorrecting(edit)
    ? ['edit', 'send', 'undo', 'discard']
    : ['send', 'edit', 'undo', 'discard']
  return order.filter((action) => possible[action])
}

export function actionLabel(action: EditAction, edit: EditView): string {
  switch (action) {
    case 'send':
      return edit.reason === 'unread' ? m.common_check_again() : m.common_send_again()
    case 'edit':
      return m.common_edit()
    case 'undo':
      return m.common_undo()
    case 'discard':
      return discardLabel(edit)
  }
}

/** True if the service would reject the edit again without a correction. */
const needsCorrecting = ({ reason }: EditView): boolean =>
  reason === 'refused' || reason === 'domain-taken' || reason === 'password'
