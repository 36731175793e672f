import type { EditView } from '../../../shared/edit.ts'

export type Act = 'send' | 'edit' | 'undo' | 'discard'

/** What can be done about an edit beside the ways of resolving it; the likeliest first where it needs the person. */
export function actsOf(edit: EditView): Act[] {
  const { can, kind, reason, state, ways } = edit
  const possible: Record<Act, boolean> = {
    // The head of the screen sends what is queued. A website that is gone only answers that again.
    send: can.sendNow && state === 'parked' && reason !== 'gone',
    // What isn't there any more, or is to go, isn't typed into.
    edit: kind !== 'delete' && !['gone', 'vanished', 'appeared', 'unreadable'].includes(reason ?? ''),
    undo: can.undo,
    // Not to delete after all is a choice of its own there.
    discard: can.discard && !ways.includes('keep'),
  }
  const order: Act[] = needsCorrecting(edit) ? ['edit', 'send', 'undo', 'discard'] : ['send', 'edit', 'undo', 'discard']
  return order.filter((act) => possible[act])
}

/** Sent again as it is, it would be refused again. */
const needsCorrecting = ({ reason }: EditView): boolean =>
  reason === 'refused' || reason === 'domain-taken' || reason === 'password'
