import { m } from '../../../messages/index.ts'
import { onOff, privacyLabel } from '../../../shared/display/fields.ts'
import { isolated } from '../../../shared/display/visible.ts'
import { PRIVACY } from '../../../shared/fields.ts'
import type { ChoiceName, Filter, filterValues } from '../../../shared/search.ts'
import { columnLabels } from '../shared/list-labels.ts'

const filterNameTexts: Record<ChoiceName, () => string> = {
  privacy: columnLabels.privacy,
  reports: columnLabels.email,
  bots: columnLabels.bots,
  state: columnLabels.state,
  bulk: m.action_bulk_change,
}

const filterValueTexts: {
  [N in Exclude<ChoiceName, 'bulk'>]: Record<(typeof filterValues)[N][number], () => string>
} = {
  privacy: {
    public: () => privacyLabel(PRIVACY.public),
    private: () => privacyLabel(PRIVACY.private),
    password: () => privacyLabel(PRIVACY.password),
  },
  reports: { on: () => onOff(true), off: () => onOff(false) },
  bots: { excluded: m.list_cell_excluded, counted: m.list_cell_counted },
  state: { pending: m.filter_state_pending, 'needs-attention': m.state_needs_attention, remote: m.remote_changed },
}

/** Returns a filter in the user's language, such as "Reports: Off" or "Privacy: not Public". */
export function filterText(filter: Filter): string {
  const { not } = filter
  if (filter.name === 'ip' || filter.name === 'differs') {
    const value = isolated(filter.value)
    if (filter.name === 'ip') return not ? m.filter_ip_not({ value }) : m.filter_ip({ value })
    return not ? m.filter_differs_not({ value }) : m.filter_differs({ value })
  }
  if (filter.name === 'bulk') return filter.value
  const texts: Record<string, () => string> = filterValueTexts[filter.name]
  const text = { name: filterNameTexts[filter.name](), value: texts[filter.value]?.() ?? filter.value }
  if (not) return m.filter_chip_not(text)
  // These values say what they are about.
  return filter.name === 'privacy' || filter.name === 'state' ? text.value : m.filter_chip(text)
}
