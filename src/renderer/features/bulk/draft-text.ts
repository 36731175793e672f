import { m } from '../../../messages/index.ts'
import { fieldLabel, onOff, privacyLabel } from '../../../shared/display/fields.ts'
import { number } from '../../../shared/display/format.ts'
import { createDefaults, listNames, switchNames } from '../../../shared/fields.ts'
import type { WebsiteDraft } from '../../../shared/website.ts'

/** Returns the values of a new website that are not the service's defaults. A password is not shown. */
export const draftText = (draft: WebsiteDraft): string =>
  [
    privacyLabel(draft.privacy),
    draft.password && m.bulk_create_password_set(),
    ...switchNames.map(
      (name) =>
        draft[name] !== createDefaults[name] && m.bulk_field({ field: fieldLabel(name), value: onOff(draft[name]) }),
    ),
    ...listNames.map(
      (name) => draft[name].length > 0 && m.bulk_field({ field: fieldLabel(name), value: number(draft[name].length) }),
    ),
  ]
    .filter(Boolean)
    .join(' · ')
