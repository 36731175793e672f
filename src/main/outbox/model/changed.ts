import { settingNames, type SettingName, type WebsiteRecord, type WebsiteSettings } from '../../../shared/website.ts'
import { meansSame } from './compare.ts'
import type { Base, Edit } from './edit.ts'
import { areSameLines, mergeLines } from './merge-lines.ts'
import { hasMoved } from '../reconcile/merge.ts'

/** Of what an edit set, the fields in which the service has something else, with what it has. */
export const ignoredOf = (edit: Pick<Edit, 'settings'>, there: WebsiteRecord): Partial<WebsiteSettings> =>
  Object.fromEntries(differing(edit.settings, there).map((name) => [name, there[name]]))

/** Of what an edit sets, what is there as it sets it. */
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
 * What it has otherwise of what was accepted with an empty answer, by a later read: a list that has all that was done to it isn't ignored,
 * and what it has besides others have written since.
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
 * Whether somebody has changed a website since the user saw it: it isn't deleted then without asking
 * (docs/sync.md#website-changed-before-a-delete).
 */
export const isChanged = (base: Base, there: WebsiteRecord): boolean =>
  hasMoved(base, there) || differing(base.settings, there).length > 0

/** The fields that both have, and not alike. */
export const differing = (ours: Partial<WebsiteSettings>, there: Partial<WebsiteSettings>): SettingName[] =>
  settingNames.filter((name) => ours[name] !== undefined && there[name] !== undefined && !meansSame(there, ours, name))
