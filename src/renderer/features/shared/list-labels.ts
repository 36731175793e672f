import { m } from '../../../messages/index.ts'
import type { ColumnName } from '../../../shared/list-settings.ts'
import type { ListQuery, PageSize } from '../../../shared/website.ts'
import { formatNumber } from '../../../shared/display/format.ts'

/** An order of the list. Ordering by id orders by age. */
export type Order = `${ListQuery['sort_by']} ${ListQuery['sort']}`

export const orderLabels: Record<Order, () => string> = {
  'id desc': m.list_order_newest,
  'id asc': m.list_order_oldest,
  'domain asc': m.list_order_domain_ascending,
  'domain desc': m.list_order_domain_descending,
}

export const sizeLabel = (size: PageSize): string =>
  size === 'all' ? m.list_page_size_all() : m.list_page_size_option({ count: formatNumber(size) })

/** The headings of the columns in the list. */
export const columnLabels: Record<ColumnName | 'domain', () => string> = {
  domain: m.list_column_domain,
  state: m.list_column_state,
  tags: m.list_column_tags,
  privacy: m.list_column_privacy,
  email: m.list_column_email,
  bots: m.list_column_bots,
  ips: m.list_column_ips,
  params: m.list_column_params,
  id: m.list_column_id,
  changed: m.list_column_changed,
  created: m.list_column_created,
}

const longLabels: Partial<typeof columnLabels> = {
  email: m.list_column_email_title,
  bots: m.list_column_bots_title,
  ips: m.list_column_ips_title,
  params: m.list_column_params_title,
  changed: m.list_column_changed_title,
}

/** Returns the full name of a column, which the list may shorten. */
export const fullColumnName = (name: ColumnName | 'domain'): string => (longLabels[name] ?? columnLabels[name])()
