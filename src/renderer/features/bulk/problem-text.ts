import { m } from '../../../messages/index.ts'
import { formatNumber } from '../../../shared/display/format.ts'
import { revealHidden } from '../../../shared/display/visible.ts'
import type { TableProblem } from '../../../shared/table.ts'
import { MAX_STORED_NOTE, MAX_TAG_NAME, MAX_TAGS } from '../../../shared/tags.ts'

const texts: Record<TableProblem['kind'], (problem: { value: string; other: string; message: string }) => string> = {
  switch: ({ value }) => m.bulk_create_bad_switch({ value }),
  choice: ({ value }) => m.bulk_create_bad_privacy({ value }),
  clear: m.table_problem_clear,
  domain: m.input_domain_invalid,
  renamed: ({ value }) => m.table_problem_renamed({ value }),
  password: m.table_problem_password,
  tag: () => m.table_problem_tag({ limit: formatNumber(MAX_TAG_NAME) }),
  tags: () => m.input_tags_too_many({ limit: formatNumber(MAX_TAGS) }),
  note: () => m.input_note_too_long({ limit: formatNumber(MAX_STORED_NOTE) }),
  invalid: ({ message }) => message,
  blank: m.table_problem_blank,
  cells: m.table_problem_cells,
  gone: ({ value }) => m.table_problem_gone({ value }),
  repeated: ({ other }) => m.table_problem_repeated({ row: other }),
  ambiguous: m.table_problem_ambiguous,
}

const MAX_CELL_CHARACTERS_SHOWN = 100

/** Returns why a cell or row of a table can't be imported. */
export function problemText({ kind, value, other, message = '' }: TableProblem): string {
  const shown = value.length > MAX_CELL_CHARACTERS_SHOWN ? `${value.slice(0, MAX_CELL_CHARACTERS_SHOWN)}…` : value
  return texts[kind]({ value: revealHidden(shown), other: other === undefined ? '' : formatNumber(other), message })
}
