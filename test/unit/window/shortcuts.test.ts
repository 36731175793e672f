import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { actionGroups, type ActionText } from '../../../src/renderer/app/action-texts.ts'
import { shortcutGroups } from '../../../src/renderer/features/palette/shortcuts.ts'

/** For each file that handles keys: the group in the shortcut list that lists its keys. */
const places: Record<string, string> = {
  'features/account/ReplaceKey.svelte': 'dialogs',
  'features/editor/keys.ts': 'editor',
  'features/palette/Palette.svelte': 'commands',
  'features/settings/RenameForm.svelte': 'dialogs',
  'features/settings/ShortcutField.svelte': 'recorder',
  'features/shared/NetworkFields.svelte': 'dialogs',
  'app/keys.ts': 'anywhere',
  'features/tags/TagsDialog.svelte': 'dialogs',
  'features/websites/ColumnEdge.svelte': 'column',
  'features/websites/FilterChips.svelte': 'search',
  'features/websites/SearchBox.svelte': 'search',
  'features/websites/WebsiteGrid.svelte': 'list',
  'features/websites/focus.ts': 'list',
  'ui/FormDialog.svelte': 'dialogs',
  'ui/Menu.svelte': 'menus',
  'ui/Modal.svelte': 'dialogs',
}

/** For each file: keys that act on its text field, so they are not in the shortcut list. */
const leftToTheText: Record<string, string[]> = {
  'features/palette/Palette.svelte': ['Home', 'End'],
  'features/tags/TagsDialog.svelte': ['Enter'],
}

/** These files name keys, but do not handle them. */
const tables = ['app/action-texts.ts', 'features/palette/shortcuts.ts', 'lib/keys.ts']

/** Matches the name of a key in quotes or as the name of a property. */
const NAMED =
  /\b(?:Arrow(?:Up|Down|Left|Right)|Page(?:Up|Down)|Home|End|Escape|Enter|Tab|Delete|Backspace|Insert|F\d{1,2})(?='|:)/g
/** Matches a comparison of an event's key with a name, and captures the name. */
const COMPARED = /(?<![.\w])(?:event\.)?key(?:\.toLowerCase\(\))? === '([^']+)'/g

/** Removes styles, comments and `aria-keyshortcuts`, which name keys without handling them. */
const without = (source: string): string =>
  source
    .replace(/<style>[\s\S]*<\/style>|<!--[\s\S]*?-->|\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    .replace(/aria-keyshortcuts="[^"]*"/g, '')

function keysIn(source: string): string[] {
  const code = without(source)
  const found = [
    ...[...code.matchAll(NAMED)].map(([key]) => key),
    ...[...code.matchAll(COMPARED)].map(([, key]) => key ?? ''),
  ]
  return [...new Set(found.map((key) => (/^[a-z]$/.test(key) ? key.toUpperCase() : key)))]
}

/** The files that handle keys, and the keys that they name. */
const handled = globSync('src/renderer/{app,ui,features,lib}/**/*.{ts,svelte}').flatMap((path) => {
  const keys = keysIn(readFileSync(path, 'utf8'))
  const file = path.replace('src/renderer/', '')
  return keys.length === 0 || tables.includes(file) ? [] : [{ file, keys }]
})

/** Returns the last key of each combination in a group of the shortcut list. */
const listed = (group: string | undefined): string[] =>
  (shortcutGroups.find(({ id }) => id === group)?.shortcuts ?? []).flatMap(({ keys }) =>
    keys.map((each) => each.split('+').at(-1) ?? ''),
  )

test('each file that handles keys belongs to a group of the shortcut list', () => {
  expect(handled.map(({ file }) => file).filter((file) => !(file in places))).toEqual([])
  expect(handled.map(({ file }) => file)).toEqual(
    expect.arrayContaining(['ui/Modal.svelte', 'features/websites/focus.ts']),
  )
})

test.each(handled)('lists each key that $file handles', ({ file, keys }) => {
  const toList = keys.filter((key) => !leftToTheText[file]?.includes(key))
  expect(toList.filter((key) => !listed(places[file]).includes(key))).toEqual([])
})

test('lists the keys that open the menu of a row, which Chromium handles', () => {
  expect(shortcutGroups.find(({ id }) => id === 'list')?.shortcuts.flatMap(({ keys }) => keys)).toContain('Shift+F10')
})

test('lists the keys of each action', () => {
  const all = shortcutGroups.flatMap(({ shortcuts }) => shortcuts.flatMap(({ keys }) => keys))
  const own = Object.values(actionGroups).flatMap((group) =>
    Object.values<ActionText>(group).flatMap(({ keys }) => keys ?? []),
  )
  expect(own.filter((keys) => !all.includes(keys))).toEqual([])
})
