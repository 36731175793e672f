import { m } from '../../messages/index.ts'
import type { BulkUpdate, BulkPatch, LinesChange } from '../../shared/bulk.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import { isListField, listNames } from '../../shared/fields.ts'
import { checkChanges } from '../../shared/validate.ts'
import {
  PRIVACY,
  settingNames,
  type SettingName,
  type WebsiteChanges,
  type WebsiteSettings,
  type WebsiteView,
} from '../../shared/website.ts'
import { isSameIgnoringOrder, namesIn, pickNamed } from '../outbox/model/compare.ts'

/**
 * Returns the fields of a website that a bulk change would change, with their new values, or null if there are none. A password
 * always counts as changed, because the current one cannot be read. Errors: `invalid-input` with `fields`. Adding lines to a list
 * that the service doesn't return, or removing lines from it, is such an error too.
 */
export function changesFor(website: WebsiteView, change: BulkUpdate | BulkPatch): Result<WebsiteChanges | null> {
  const unseen = listNames.filter((name) => change[name]?.how === 'edit' && website[name] === undefined)
  if (unseen.length > 0) {
    return fail('invalid-input', { fields: Object.fromEntries(unseen.map((name) => [name, [m.input_list_unseen()]])) })
  }
  const target = targetSettings(website, change)
  const touched = namesIn(target).filter((name) => !isSameIgnoringOrder(target, website, name))
  const password = 'password' in change ? change.password : undefined
  const hasPassword = password || ('masked' in change && change.masked)
  if (touched.length === 0 && !hasPassword) return ok(null)
  const changes: WebsiteChanges = {
    ...pickNamed(target, touched),
    ...(hasPassword && { privacy: PRIVACY.password }),
    ...(password && { password }),
  }
  const fields = checkChanges(changes, website)
  return Object.keys(fields).length > 0 ? fail('invalid-input', { fields }) : ok(changes)
}

/** Returns the fields whose whole value a bulk change replaces: not the lists in which it only adds or removes lines. */
export const settingsReplacedBy = (change: BulkPatch): SettingName[] =>
  settingNames.filter((name) => change[name] !== undefined && !(isListField(name) && change[name].how === 'edit'))

/**
 * True if the website's delete is pending or needs attention. A parked website without pending settings can only have a parked
 * delete.
 */
export const isBeingDeleted = ({ state, pending }: Pick<WebsiteView, 'state'> & Partial<WebsiteView>): boolean =>
  state === 'deleting' || (state === 'parked' && pending?.length === 0)

/** True if `change` would change the website. Undefined if that depends on a field that the service doesn't return. */
export function differs(website: Partial<WebsiteSettings>, change: BulkPatch): boolean | undefined {
  const target = targetSettings(website, change)
  const names = namesIn(target)
  const shown = names.filter((name) => website[name] !== undefined)
  if (shown.some((name) => !isSameIgnoringOrder(target, website, name))) return true
  return shown.length < names.length ? undefined : false
}

/** Returns the values that the website would have after the change, for all fields that the change names. */
function targetSettings(website: Partial<WebsiteSettings>, change: BulkPatch): Partial<WebsiteSettings> {
  const target: Partial<WebsiteSettings> = Object.fromEntries(
    settingNames.flatMap((name) => (change[name] === undefined ? [] : [[name, change[name]]])),
  )
  for (const name of listNames) {
    if (change[name] !== undefined) target[name] = linesAfterChange(website[name], change[name])
  }
  return target
}

/** The remaining lines keep their order, and added lines come last. */
function linesAfterChange(lines: readonly string[] = [], change: LinesChange): string[] {
  if (change.how === 'set') return change.lines
  const gone = new Set(change.remove)
  const remaining = lines.filter((line) => !gone.has(line))
  const present = new Set(remaining)
  return [...remaining, ...new Set(change.add.filter((line) => !present.has(line)))]
}
