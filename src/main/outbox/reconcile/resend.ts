import {
  createDefaults,
  PRIVACY,
  settingNames,
  type SettingName,
  type WebsiteRecord,
  type WebsiteSettings,
} from '../../../shared/website.ts'
import { newEdit, type Stamp } from '../enqueue/commands.ts'
import { meansSame, pickTouched } from '../model/compare.ts'
import type { Base, Edit, Note } from '../model/edit.ts'
import { isSetBack } from '../model/possibly-sent.ts'
import { timeAfter } from './rebase.ts'
import { isSameSecret } from '../late-writes/remember.ts'
import type { LateWrite } from '../model/late-write.ts'

/** What of an acknowledged edit is sent a second time, once. */
export interface Resent {
  settings: Partial<WebsiteSettings>
  password: boolean
}

/** What the service accepted and didn't keep (docs/sync.md#mismatches). */
export const ignoredAgain = (edit: Edit, ignored: Partial<WebsiteSettings>): Resent | null =>
  Object.keys(ignored).length === 0 || edit.note?.resent !== undefined
    ? null
    : { settings: pickTouched(edit.settings, ignored), password: false }

/** What may have created a website that was found. */
type Maker = Pick<LateWrite, 'settings' | 'sealed'>

/** Somebody else, of whom nothing is known. */
const ANYBODY: Maker = { settings: createDefaults, sealed: null }

/**
 * What a website that was found, and taken for ours by what can be read of it, doesn't show: sent again, for it does no harm
 * where it's ours indeed. And what the user has changed since it was sent. `earlier`: requests of it
 * that may be what is there.
 */
export const restAgain = (create: Edit, there: WebsiteRecord, earlier: readonly Maker[]): Resent | null =>
  restFrom(create, there, [ANYBODY, ...earlier])

function restFrom(create: Edit, there: WebsiteRecord, makers: readonly Maker[]): Resent | null {
  const rest = settingNames.filter((name) =>
    there[name] === undefined
      ? makers.some(({ settings }) => !meansSame(create.settings, settings, name))
      : !meansSame(create.settings, there, name),
  )
  const password = create.sealed !== null && makers.some(({ sealed }) => !isSameSecret(sealed, create.sealed))
  if (rest.length === 0 && !password) return null
  const settings = Object.fromEntries(rest.map((name) => [name, create.settings[name]]))
  return { settings: { ...settings, ...(password && { privacy: PRIVACY.password }) }, password }
}

/**
 * What can't be seen of a create that was accepted with nothing, where what is found may not be what that made: it isn't as it
 * was sent, so another client's has taken its place; or an `earlier` request of it has. Changed since it was made, it's the
 * user who says whether this is sent over that.
 */
export function hiddenAgain(
  create: Edit,
  there: WebsiteRecord,
  isAsSent: boolean,
  earlier: readonly Maker[],
): Resent | null {
  const again = restFrom(create, there, isAsSent ? earlier : [ANYBODY, ...earlier])
  const hidden = Object.entries(again?.settings ?? {}).filter(([name]) => there[name as SettingName] === undefined)
  const password = again?.password === true && (there.privacy ?? PRIVACY.password) === PRIVACY.password
  if (hidden.length === 0 && !password) return null
  const settings = { ...Object.fromEntries(hidden), ...(password && { privacy: PRIVACY.password }) }
  return { settings, password }
}

/** The same edit with what is left of it; of a create, an update under the id of the stamp that follows it. */
export function resend(edit: Edit, there: WebsiteRecord, again: Resent, stamp: Stamp): Edit {
  const { settings, password } = again
  const updated_at = timeAfter(edit, there)
  const sealed = password ? edit.sealed : null
  const base = { settings: pickTouched(there, settings), ...(updated_at !== undefined && { updated_at }) }
  if (edit.kind === 'create') {
    const update = newEdit(edit.website, stamp, { kind: 'update', settings, sealed, base })
    return { ...update, seq: edit.seq, note: { resent: { settings: {}, password: false, before: {} } } }
  }
  // The request was acknowledged: nothing that it carried is in doubt any more.
  return {
    ...edit,
    settings,
    sealed,
    base,
    standing: { state: 'queued' },
    note: { ...noteOf(edit), possiblySent: undefined },
  }
}

/**
 * What is left of an update in doubt, most of which a read has shown to be there: what can't be seen, and so may be told as
 * failed. `base`: what is there. The same edit where that is all of it.
 */
export function restOf(edit: Edit, base: Base): Edit {
  const isThere = ([name]: [string, unknown]) =>
    meansSame(base.settings, edit.settings, name as SettingName) &&
    !meansSame(edit.base.settings, edit.settings, name as SettingName) &&
    !isSetBack(edit, name as SettingName) &&
    !(name === 'privacy' && edit.sealed !== null)
  const arrived = Object.fromEntries(Object.entries(edit.settings).filter(isThere))
  if (Object.keys(arrived).length === 0) return edit
  const left = Object.fromEntries(Object.entries(edit.settings).filter((one) => !isThere(one)))
  return { ...edit, settings: left, note: noteOf({ ...edit, settings: arrived, sealed: null }) }
}

/** What has arrived of it so far, for the history. */
const noteOf = ({ settings, sealed, base, note }: Edit): Note => ({
  ...note,
  resent: {
    settings: { ...note?.resent?.settings, ...settings },
    password: sealed !== null || note?.resent?.password === true,
    before: { ...base.settings, ...note?.resent?.before },
  },
})
