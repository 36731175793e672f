import { m } from '../../../messages/index.ts'
import { formatList } from '../../../shared/display/format.ts'
import type { LinesChange } from '../../../shared/bulk.ts'
import type { SettingsPatch } from '../../../shared/preset.ts'
import type { SettingName } from '../../../shared/website.ts'
import { revealHidden } from '../../../shared/display/visible.ts'
import { privacyOrSwitchText } from '../../../shared/display/fields.ts'

const MAX_LINES_SHOWN = 6

/** Returns the value of a setting in a preset; for a list, the lines that the preset adds, removes or sets. */
export const settingText = (value: NonNullable<SettingsPatch[SettingName]>): string =>
  typeof value === 'object' ? linesText(value) : privacyOrSwitchText(value)

function linesText(change: LinesChange): string {
  if (change.how === 'set') {
    return change.lines.length === 0
      ? m.preset_lines_none()
      : m.preset_lines_set({ lines: firstLinesText(change.lines) })
  }
  const [added, removed] = [firstLinesText(change.add), firstLinesText(change.remove)]
  if (change.remove.length === 0) return m.preset_lines_add({ lines: added })
  if (change.add.length === 0) return m.preset_lines_remove({ lines: removed })
  return m.preset_lines_add_remove({ added, removed })
}

function firstLinesText(all: readonly string[]): string {
  const lines = formatList(all.slice(0, MAX_LINES_SHOWN).map(revealHidden), 'unit')
  const more = all.length - MAX_LINES_SHOWN
  return more > 0 ? m.list_more({ lines, count: more }) : lines
}
