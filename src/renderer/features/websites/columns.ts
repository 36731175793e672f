import type { ListQuery } from '../../../shared/website.ts'

export type ColumnName = 'domain' | 'state' | 'privacy' | 'email' | 'bots' | 'created'

export interface Column {
  name: ColumnName
  label: string
  /** What the label is short for. */
  title?: string
  /** By which of the interface's orders it's sorted. */
  sort?: ListQuery['sort_by']
  /** In rem; the domain takes what is left, and at least this. */
  width: number
}

/** In the order in which they stand. */
export const columns: readonly Column[] = [
  { name: 'domain', label: 'Domain', sort: 'domain', width: 15 },
  { name: 'state', label: 'State', width: 9.6 },
  { name: 'privacy', label: 'Privacy', width: 5.6 },
  { name: 'email', label: 'Reports', title: 'Email reports', width: 4.6 },
  { name: 'bots', label: 'Bots', title: 'Exclude bots', width: 5.2 },
  { name: 'created', label: 'Created', sort: 'id', width: 7.8 },
]

/** What a narrow list keeps before the others; what it has no room for is in the editor. */
const importance: readonly ColumnName[] = ['domain', 'state', 'privacy', 'created', 'email', 'bots']

/** Those of `chosen` that a list of `room` rem has room for; domain and state always. */
export function fitting(chosen: readonly Column[], room: number): Column[] {
  let left = room
  const kept = new Set<ColumnName>()
  for (const name of importance) {
    const column = chosen.find((one) => one.name === name)
    if (!column || (column.width > left && kept.size >= 2)) continue
    kept.add(name)
    left -= column.width
  }
  return chosen.filter(({ name }) => kept.has(name))
}

/** The value of `grid-template-columns` for them. */
export const trackOf = (shown: readonly Column[]): string =>
  shown.map(({ name, width }) => (name === 'domain' ? 'minmax(0, 1fr)' : `${String(width)}rem`)).join(' ')
