import { m } from '../../../messages/index.ts'
import { fieldLabel, onOffText, privacyLabel } from '../../../shared/display/fields.ts'
import { formatNumber } from '../../../shared/display/format.ts'
import { createDefaults, listNames, switchNames } from '../../../shared/fields.ts'
import { revealHidden } from '../../../shared/display/visible.ts'
import type { TableAddition } from '../../../shared/table.ts'
import { tagsText } from '../shared/difference-text.ts'
import type { WebsiteDraft } from '../../../shared/website.ts'

/** Returns a one-line summary of a new website: privacy, password, settings that differ from the defaults, tags and note. */
export const draftSummary = (draft: WebsiteDraft, local: TableAddition['local'] = {}): string =>
  [
    privacyLabel(draft.privacy),
    draft.password && m.bulk_create_password_set(),
    ...switchNames.map(
      (name) =>
        draft[name] !== createDefaults[name] &&
        m.bulk_field({ field: fieldLabel(name), value: onOffText(draft[name]) }),
    ),
    ...listNames.map(
      (name) =>
        draft[name].length > 0 && m.bulk_field({ field: fieldLabel(name), value: formatNumber(draft[name].length) }),
    ),
    local.tags && m.bulk_field({ field: m.tags(), value: tagsText(local.tags) }),
    local.note && m.bulk_field({ field: m.filter_note(), value: revealHidden(local.note) }),
  ]
    .filter(Boolean)
    .join(' · ')
