import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { actionGroups } from '../../../src/words/actions.ts'
import { shortcutGroups } from '../../../src/words/shortcuts.ts'

/** Which group of the list tells of the keys that a file handles. */
const places: Record<string, string> = {
  'features/editor/keys.ts': 'In the editor',
  'features/palette/Palette.svelte': 'In the commands',
  'features/settings/RenameForm.svelte': 'In dialogs and forms',
  'features/shell/keys.ts': 'Anywhere',
  'features/websites/ColumnEdge.svelte': 'At the edge of a column',
  'features/websites/SearchBox.svelte': 'In the search',
  'features/websites/WebsiteGrid.svelte': 'In the list',
  'features/websites/focus.ts': 'In the list',
  'ui/Menu.svelte': 'In menus',
  'ui/Modal.svelte': 'In dialogs and forms',
}

/** Keys that a file keeps from its parts, so that they work in its text field as everywhere. */
const leftToTheText: Record<string, string[]> = { 'features/palette/Palette.svelte': ['Home', 'End'] }

const NAMED =
  /\b(?:Arrow(?:Up|Down|Left|Right)|Page(?:Up|Down)|Home|End|Escape|Enter|Tab|Delete|Backspace|Insert|F\d{1,2})(?='|:)/g
const COMPARED = /(?<![.\w])(?:event\.)?key(?:\.toLowerCase\(\))? === '([^']+)'/g

const without = (source: string): string =>
  source
    .replace(/<style>[\s\S]*<\/style>|<!--[\s\S]*?-->|\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    .replace(/aria-keyshortcuts="[^"]*"/g, '')

/** Every key that a source names. */
function keysIn(source: string): string[] {
  const code = without(source)
  const found = [
    ...[...code.matchAll(NAMED)].map(([key]) => key),
    ...[...code.matchAll(COMPARED)].map(([, key]) => key ?? ''),
  ]
  return [...new Set(found.map((key) => (/^[a-z]$/.test(key) ? key.toUpperCase() : key)))]
}

const handled = globSync('src/renderer/{app,ui,features,lib}/**/*.{ts,svelte}').flatMap((path) => {
  const keys = keysIn(readFileSync(path, 'utf8'))
  return keys.length === 0 ? [] : [{ file: path.replace('src/renderer/', ''), keys }]
})

/** The keys that a group lists; the last of several that are pressed at once. */
const listed = (name: string | undefined): string[] =>
  (shortcutGroups.find((group) => group.name === name)?.shortcuts ?? []).flatMap(({ keys }) =>
    keys.map((each) => each.split('+').at(-1) ?? ''),
  )

test('each file that handles keys has its group in the list', () => {
  expect(handled.map(({ file }) => file).filter((file) => !(file in places))).toEqual([])
  expect(handled.map(({ file }) => file)).toEqual(
    expect.arrayContaining(['ui/Modal.svelte', 'features/websites/focus.ts']),
  )
})

test.each(handled)('the list tells of each key that $file handles', ({ file, keys }) => {
  const toList = keys.filter((key) => !leftToTheText[file]?.includes(key))
  expect(toList.filter((key) => !listed(places[file]).includes(key))).toEqual([])
})

test('the list has the keys of each action', () => {
  const all = shortcutGroups.flatMap(({ shortcuts }) => shortcuts.flatMap(({ keys }) => keys))
  const own = Object.values(actionGroups).flatMap((group) =>
    Object.values(group).flatMap((words) => ('keys' in words ? [words.keys] : [])),
  )
  expect(own.filter((keys) => !all.includes(keys))).toEqual([])
})
