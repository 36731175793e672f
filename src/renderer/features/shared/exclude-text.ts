import { m } from '../../../messages/index.ts'
import { isolateText } from '../../../shared/display/visible.ts'
import type { ListName } from '../../../shared/fields.ts'
import { formatNumber } from '../../../shared/display/format.ts'
import type { Finding } from '../../lib/exclude-list/lines.ts'

const MAX_QUOTED = 60

/** Puts a line in quotation marks, shortened to {@link MAX_QUOTED} characters. */
function quoted(text: string): string {
  const characters = [...text]
  const isLong = characters.length > MAX_QUOTED
  return m.exclude_quoted({ line: isolateText(isLong ? `${characters.slice(0, MAX_QUOTED).join('')}…` : text) })
}

/** Returns the text of a finding about a line of an exclude list. */
export function findingText(list: ListName, finding: Finding): string {
  const line = quoted(finding.text)
  switch (finding.kind) {
    case 'wrong':
      return list === 'exclude_ips' ? m.exclude_wrong_address({ line }) : m.exclude_wrong_param({ line })
    case 'twice':
      return m.exclude_twice({ line, number: formatNumber(finding.as) })
    case 'covered':
      return m.exclude_covered({ line, other: quoted(finding.by), number: formatNumber(finding.at) })
    case 'within':
      return m.exclude_range({ line, range: finding.range })
    case 'all':
      return list === 'exclude_ips' ? m.exclude_all_addresses({ line }) : m.exclude_all_params()
    case 'star':
      return m.exclude_star({ line })
    case 'spaces':
      return m.exclude_spaces({ line })
  }
}

/** Returns the text about a line with hidden characters. */
export const hiddenCharactersText = (line: string): string => m.exclude_hidden({ line: quoted(line) })
