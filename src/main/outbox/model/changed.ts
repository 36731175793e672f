import { settingNames, type SettingName, type WebsiteRecord, type WebsiteSettings } from '../../../shared/website.ts'
import { meansSame } from './compare.ts'
import type { Base, Edit } from './edit.ts'
import { areSameLines, mergeLines } from './merge-lines.ts'
import { hasMoved } from '../reconcile/merge.ts'

/** Returns the fields of an edit for which the service has another value, with that value. */
export const ignoredOf = (edit: Pick<Edit, 'settings'>, there: WebsiteRecord): Partial<WebsiteSettings> =>
  Object.fromEntries(differing(edit.settings, there).map((name) => [name, there[name]]))

/** Returns the fields of an edit for which the service has the edit's value. */
export const arrivedOf = (
  { settings }: Pick<Edit, 'settings'>,
  there: Partial<WebsiteSettings>,
): Partial<WebsiteSettings> =>
  Object.fromEntries(
    settingNames
      .filter((name) => there[name] !== undefined && settings[name] !== undefined && meansSame(there, settings, name))
      .map((name) => [name, there[name]]),
  )

/**
 * Returns what a later read shows differently from an edit that was accepted with an empty answer. A list that contains all our
 * changes counts as accepted: other clients have added the rest since.
 */
export function ignoredByRead(edit: Pick<Edit, 'kind' | 'settings' | 'base'>, there: WebsiteRecord) {
  const ignored = ignoredOf(edit, there)
  for (const name of ['exclude_ips', 'exclude_params'] as const) {
    const [ours, theirs] = [edit.settings[name], there[name]]
    const base = edit.kind === 'create' ? [] : edit.base.settings[name]
    if (ours === undefined || theirs === undefined || base === undefined) continue
    if (areSameLines(mergeLines({ base, theirs, ours }), theirs)) Reflect.deleteProperty(ignored, name)
  }
  return ignored
}

/**
 * True if the website has changed since the user saw it, so that it is not deleted without asking
 * (docs/sync.md#website-changed-before-a-delete).
 */
export const isChanged = (base: Base, there: WebsiteRecord): boolean =>
  hasMoved(base, there) || differing(base.settings, there).length > 0

/** Returns the fields that both have with different values. */
export const differing = (ours: Partial<WebsiteSettings>, there: Partial<WebsiteSettings>): SettingName[] =>
  settingNames.filter((name) => ours[name] !== undefined && there[name] !== undefined && !meansSame(there, ours, name))
