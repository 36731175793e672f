import type { BrowserWindow, ContextMenuParams, EditFlags, MenuItemConstructorOptions } from 'electron'
import { EventEmitter } from 'node:events'
import { afterEach, expect, test, vi } from 'vitest'
import { addTextMenu, setApplicationMenu } from '../../../src/main/shell/menu.ts'

type Item = MenuItemConstructorOptions

const { application, popped } = vi.hoisted(() => ({ application: [] as Item[][], popped: [] as Item[][] }))
vi.mock('electron', () => ({
  Menu: {
    buildFromTemplate: (items: Item[]) => ({ items, popup: () => popped.push(items) }),
    setApplicationMenu: ({ items }: { items: Item[] }) => application.push(items),
  },
}))

afterEach(() => {
  vi.restoreAllMocks()
  application.length = popped.length = 0
})

function itemsOn(platform: NodeJS.Platform) {
  vi.spyOn(process, 'platform', 'get').mockReturnValue(platform)
  setApplicationMenu({
    show: () => undefined,
    quit: () => undefined,
    settings: { now: () => ({ textSize: 100 }), change: () => undefined },
  })
  return (application.at(-1) ?? []).flatMap(({ submenu }) => submenu as Item[])
}

const rolesOn = (platform: NodeJS.Platform) => itemsOn(platform).map(({ role }) => role)

test.each(['linux', 'win32'] as const)(
  'the menu “Window” has no item “Zoom” on %s, where it would have no effect',
  (platform) => {
    expect(rolesOn(platform)).not.toContain('zoom')
  },
)

test('the menu “Window” of macOS has the item “Zoom”', () => {
  expect(rolesOn('darwin')).toContain('zoom')
})

test('the settings have an ellipsis in the app menu of macOS, and in no other menu', () => {
  const labelsOn = (platform: NodeJS.Platform) => itemsOn(platform).map(({ label }) => label)
  expect(labelsOn('darwin')).toContain('Settings…')
  expect(labelsOn('linux')).toContain('Settings')
})

const nothing: EditFlags = {
  canUndo: false,
  canRedo: false,
  canCut: false,
  canCopy: false,
  canPaste: false,
  canDelete: false,
  canSelectAll: false,
  canEditRichly: false,
}

/** Right-clicks in the window. Returns the roles in the menu that opens, with whether they are enabled. Null: no menu opens. */
function rightClick({
  editFlags,
  ...params
}: {
  isEditable: boolean
  selectionText: string
  editFlags: Partial<EditFlags>
}) {
  const webContents = new EventEmitter()
  addTextMenu({ webContents } as unknown as BrowserWindow)
  const event: Partial<ContextMenuParams> = { ...params, editFlags: { ...nothing, ...editFlags } }
  webContents.emit('context-menu', {}, event)
  const roles = (enabled: boolean) =>
    popped.at(-1)?.flatMap(({ role, enabled: is }) => (role !== undefined && is === enabled ? role : []))
  return popped.length === 0 ? null : { enabled: roles(true), disabled: roles(false) }
}

test('the menu of a text field enables only the items that have an effect in the field', () => {
  const editFlags = { canUndo: true, canPaste: true, canSelectAll: true }
  expect(rightClick({ isEditable: true, selectionText: '', editFlags })).toEqual({
    enabled: ['undo', 'paste', 'selectAll'],
    disabled: ['redo', 'cut', 'copy'],
  })
})

test('selected text can be copied from its menu', () => {
  expect(rightClick({ isEditable: false, selectionText: 'ECONNREFUSED', editFlags: { canCopy: true } })).toEqual({
    enabled: ['copy'],
    disabled: [],
  })
})

test('there is no menu where nothing is selected and nothing can be typed', () => {
  expect(rightClick({ isEditable: false, selectionText: '', editFlags: { canSelectAll: true } })).toBeNull()
})
