import { settingNames, type SettingName, type WebsiteRecord, type WebsiteSettings } from '../../shared/website.ts'
import { meansSame } from './compare.ts'
import type { Base, Edit } from './edit.ts'
import { hasMoved } from './merge.ts'

/** Of what an edit set, the fields in which the service has something else, with what it has. */
export const ignoredOf = (edit: Pick<Edit, 'settings'>, there: WebsiteRecord): Partial<WebsiteSettings> =>
  Object.fromEntries(differing(edit.settings, there).map((name) => [name, there[name]]))

/** Whether somebody has changed a website since the person saw it: it isn't deleted then without asking (sync.md). */
export const isChanged = (base: Base, there: WebsiteRecord): boolean =>
  hasMoved(base, there) || differing(base.settings, there).length > 0

/** The fields that both have, and not alike. */
export const differing = (ours: Partial<WebsiteSettings>, there: WebsiteRecord): SettingName[] =>
  settingNames.filter((name) => ours[name] !== undefined && there[name] !== undefined && !meansSame(there, ours, name))
