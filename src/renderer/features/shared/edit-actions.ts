import { m } from '../../../messages/index.ts'
import type { EditView } from '../../../shared/edit.ts'
import { discardLabel } from './edit-text.ts'

export type EditAction = 'send' | 'edit' | 'undo' | 'discard'

/** Returns the actions for an edit besides the ways to resolve it, the most likely one first if it needs attention. */
export function editActions(edit: EditView): EditAction[] {
  const { can, kind, reason, state, ways } = edit
  const possible: Record<EditAction, boolean> = {
    // Queued edits are sent by the button above the list. For a website that is gone, sending again would change
    // nothing.
    send: can.sendNow && state === 'parked' && reason !== 'gone',
    // A website that is gone, or is being deleted, can't be edited.
    edit: kind !== 'delete' && !['gone', 'vanished', 'appeared', 'unreadable'].includes(reason ?? ''),
    // A parked edit is discarded instead.
    undo: can.undo && state !== 'parked',
    // The choice "keep" already discards the delete.
    discard: can.discard && !ways.includes('keep'),
  }
  const order: EditAction[] = needsCorrecting(edit)
    ? ['edit', 'send', 'undo', 'discard']
    : ['send', 'edit', 'undo', 'discard']
  return order.filter((action) => possible[action])
}

/** Returns the label of the button for an action. */
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

/** True if the service would reject the edit again unless it is corrected. */
const needsCorrecting = ({ reason }: EditView): boolean =>
  reason === 'refused' || reason === 'domain-taken' || reason === 'password'
