import { m } from '../../../messages/index.ts'
import { onOff, privacyLabel } from '../../../shared/display/fields.ts'
import { isolated } from '../../../shared/display/visible.ts'
import { formatDay, formatDays } from '../../../shared/display/format.ts'
import { parseAdded } from '../../../shared/added.ts'
import { PRIVACY } from '../../../shared/fields.ts'
import type { ChoiceName, Filter, filterValues } from '../../../shared/search.ts'
import { columnLabels } from '../shared/list-labels.ts'

export const filterNameTexts: Record<ChoiceName | 'added', () => string> = {
  privacy: columnLabels.privacy,
  reports: columnLabels.email,
  bots: columnLabels.bots,
  state: columnLabels.state,
  parameters: columnLabels.params,
  added: m.filter_added,
}

export const filterValueTexts: {
  [N in ChoiceName]: Record<(typeof filterValues)[N][number], () => string>
} = {
  privacy: {
    public: () => privacyLabel(PRIVACY.public),
    private: () => privacyLabel(PRIVACY.private),
    password: () => privacyLabel(PRIVACY.password),
  },
  reports: { on: () => onOff(true), off: () => onOff(false) },
  bots: { excluded: m.list_cell_excluded, counted: m.list_cell_counted },
  parameters: { some: m.filter_some, none: m.filter_none },
  state: { pending: m.filter_state_pending, 'needs-attention': m.state_needs_attention, remote: m.remote_changed },
}

/** Returns the days of the filter `added`, such as "Last 7 days" or "Jan 1 – 31, 2026". */
export function addedText(value: string): string {
  const added = parseAdded(value)
  if (added === null) return value
  if ('days' in added) return m.filter_added_days({ count: added.days })
  const { from, to } = added
  if (from !== undefined && to !== undefined) return formatDays(from, to)
  return from === undefined
    ? m.filter_added_to({ date: formatDay(to ?? '') })
    : m.filter_added_from({ date: formatDay(from) })
}

/** Returns a filter in the user's language, such as "Reports: Off" or "Privacy: not Public". */
export function filterText(filter: Filter): string {
  const { not } = filter
  if (filter.name === 'ip' || filter.name === 'differs') {
    const value = isolated(filter.value)
    if (filter.name === 'ip') return not ? m.filter_ip_not({ value }) : m.filter_ip({ value })
    return not ? m.filter_differs_not({ value }) : m.filter_differs({ value })
  }
  const texts: Record<string, () => string> = filter.name === 'added' ? {} : filterValueTexts[filter.name]
  const value = filter.name === 'added' ? addedText(filter.value) : texts[filter.value]?.()
  const text = { name: filterNameTexts[filter.name](), value: value ?? filter.value }
  if (not) return m.filter_chip_not(text)
  // The other values say what they are about.
  return ['reports', 'bots', 'parameters'].includes(filter.name) ? m.filter_chip(text) : text.value
}
