import { m } from '../../../messages/index.ts'
import {
  filterValuesOf,
  offeredFilters,
  type FilterName,
  type OwnFilterValues,
  type SearchProblem,
} from '../../../shared/search.ts'
import { formatList } from '../../../shared/display/format.ts'
import { isolateText } from '../../../shared/display/visible.ts'

/** Returns what is wrong with a word that looks like a filter, and what the user can type instead. */
export function searchProblem(problem: SearchProblem, own: OwnFilterValues): { head: string; advice: string } {
  const name = isolateText(problem.name)
  return problem.is === 'name'
    ? {
        head: m.search_unknown_filter({ filter: `${name}:` }),
        advice: m.search_unknown_name_todo({ names: formatList(offeredFilters(own), 'or') }),
      }
    : { head: m.search_invalid_filter({ filter: isolateText(problem.word) }), advice: validValues(name, problem.of) }
}

function validValues(name: string, filter: FilterName): string {
  if (filter === 'ip') return m.search_value_ip({ name })
  if (filter === 'created') return m.search_value_created({ name })
  if (filter === 'differs') return m.search_value_differs()
  if (filter === 'tag') return m.search_value_tag()
  if (filter === 'note') return m.search_value_note()
  return m.search_unknown_value_todo({ name, values: formatList(filterValuesOf(filter), 'or') })
}
