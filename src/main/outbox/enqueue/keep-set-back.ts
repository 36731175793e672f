import { settingNames, type SettingName } from '../../../shared/website.ts'
import { recordHistory } from '../history.ts'
import { isSame, pickNamed, pickCommon } from '../model/compare.ts'
import { isSent, type Edit, type EditNote } from '../model/edit.ts'
import { joinedSaves, savesOf } from '../model/saves.ts'
import type { OutboxStore } from '../ports.ts'

/**
 * Keeps saves that cancel each other out, so that they can be undone although nothing is left to send (docs/sync.md#undo). They
 * move to an edit that is being sent, or to the history. `unsent`: the edit of which nothing is left. `later`: the edit that was
 * merged into it.
 */
export function keepSavesThatCancelOut(
  store: OutboxStore,
  unsent: Edit,
  later: Pick<Edit, 'note' | 'changedAt'>,
): void {
  const applied = appliedPartOf(unsent)
  const saves = joinedSaves(savesOf(unsent), savesOf(later))
  if (unsent.kind !== 'update' || (applied === null && saves.length === 0)) return
  const sent = store
    .editsOf(unsent.website)
    .find((edit) => edit.id !== unsent.id && isSent(edit) && edit.kind !== 'delete')
  if (sent !== undefined) {
    const isOther = savesOf(sent).length === 0
    const joined = { saves: joinedSaves(savesOf(sent), saves), ...(isOther && { hasOther: true, isUndo: false }) }
    return store.saveEdit({ ...sent, note: { ...sent.note, ...joined } })
  }
  const { also, overwrites = {} } = unsent.note ?? {}
  const overwritten = pickCommon(overwrites, applied?.settings ?? {})
  const note: EditNote = { saves, overwrites: overwritten, ...(also && { also }), ...(applied && { resent: applied }) }
  const became = applied === null ? 'undone' : 'sent'
  recordHistory(store, { ...unsent, settings: {}, sealed: null, note }, became, { at: later.changedAt })
}

/** If only the rest of an edit is sent again, returns the part that the service has already applied. */
function appliedPartOf({ settings, note }: Edit): EditNote['resent'] | null {
  const { resent } = note ?? {}
  if (resent === undefined) return null
  // Values that are to be sent again were not kept by the service.
  const isApplied = (name: SettingName) =>
    resent.settings[name] !== undefined && !isSame(resent.settings, settings, name)
  const applied = settingNames.filter(isApplied)
  return applied.length > 0 || resent.password ? { ...resent, settings: pickNamed(resent.settings, applied) } : null
}
