import { m } from '../../../messages/index.ts'
import { onOffText, privacyLabel } from '../../../shared/display/fields.ts'
import { isolateText } from '../../../shared/display/visible.ts'
import { formatDay, formatDays } from '../../../shared/display/format.ts'
import { parseCreated } from '../../../shared/created-filter.ts'
import { PRIVACY } from '../../../shared/fields.ts'
import {
  withoutNegation,
  type ChoiceFilterName,
  type Filter,
  type FilterName,
  type choiceFilterValues,
} from '../../../shared/search.ts'
import { columnLabels } from '../shared/list-labels.ts'

/** The description of each filter. It begins with the name that the UI uses. */
const filterHints: Record<FilterName, () => string> = {
  privacy: m.search_filter_privacy,
  reports: m.search_filter_reports,
  bots: m.search_filter_bots,
  parameters: m.search_filter_parameters,
  state: m.search_filter_state,
  ip: m.search_filter_ip,
  created: m.search_filter_created,
  differs: m.search_filter_differs,
  tag: m.search_filter_tag,
  note: m.search_filter_note,
}

/** Returns the description of a filter, which begins with its name in the UI. */
export const hintOf = (name: FilterName): string => filterHints[name]()

/** The names of the filters in the UI. */
export const filterNameTexts: Record<ChoiceFilterName | 'created' | 'tag' | 'note', () => string> = {
  privacy: columnLabels.privacy,
  reports: m.list_column_email_title,
  bots: m.list_column_bots_title,
  state: columnLabels.state,
  parameters: m.list_column_params_title,
  created: columnLabels.created,
  tag: m.filter_tag,
  note: m.filter_note,
}

/** The names of the fixed values of each filter. */
export const filterValueTexts: {
  [N in ChoiceFilterName]: Record<(typeof choiceFilterValues)[N][number], () => string>
} = {
  privacy: {
    public: () => privacyLabel(PRIVACY.public),
    private: () => privacyLabel(PRIVACY.private),
    password: () => privacyLabel(PRIVACY.password),
  },
  reports: { on: () => onOffText(true), off: () => onOffText(false) },
  bots: { excluded: () => onOffText(true), counted: () => onOffText(false) },
  parameters: { some: m.filter_some, none: m.filter_none },
  state: { pending: m.state_pending, 'needs-attention': m.state_needs_attention },
}

/** Returns the days of the filter `created`, such as "last 7 days" or "Jan 1 – 31, 2026". */
function createdText(value: string): string {
  const created = parseCreated(value)
  if (created === null) return value
  if ('days' in created) return m.filter_created_last({ count: created.days })
  const { from, to } = created
  if (from !== undefined && to !== undefined) return formatDays(from, to)
  return from === undefined
    ? m.filter_created_to({ date: formatDay(to ?? '') })
    : m.filter_created_from({ date: formatDay(from) })
}

/** Returns a filter in the user's language, such as "Email reports: Off" or "Privacy: not Public". */
export function filterText(written: Filter): string {
  const filter = withoutNegation(written)
  const { not } = filter
  if (filter.name === 'ip' || filter.name === 'differs') {
    const value = isolateText(filter.value)
    if (filter.name === 'ip') return not ? m.filter_ip_not({ value }) : m.filter_ip({ value })
    return not ? m.filter_differs_not({ value }) : m.filter_differs({ value })
  }
  if (filter.name === 'tag' || filter.name === 'note') {
    const own = { name: filterNameTexts[filter.name](), value: isolateText(filter.value) }
    return not ? m.filter_chip_not(own) : m.filter_chip(own)
  }
  const texts: Record<string, () => string> = filter.name === 'created' ? {} : filterValueTexts[filter.name]
  const value = filter.name === 'created' ? createdText(filter.value) : texts[filter.value]?.()
  const text = { name: filterNameTexts[filter.name](), value: value ?? filter.value }
  return not ? m.filter_chip_not(text) : m.filter_chip(text)
}
