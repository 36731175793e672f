import type { Locator, Page } from 'playwright'
import type { SampleService } from '../../src/main/sample/service.ts'
import { LONGEST_DOMAIN } from './situations.ts'
import { t } from './texts.ts'
import * as ways from './ways.ts'
import { closeDialog, goTo, press, rows, showWebsites } from './ways.ts'

interface Screen {
  show: (page: Page, service: SampleService | null) => Promise<unknown>
  leave?: (page: Page) => Promise<unknown>
  /** `websites`: at least one website. `service`: another client that writes, so no embedded sample service. */
  needs?: readonly ('websites' | 'service')[]
  /** The situations in which the screen looks different; all if there is none. */
  only?: readonly string[]
}

/** The situations in which there is less room. */
const only = ['narrow', 'large-text']
/** The situations for a screen that shows a domain: those with less room, and the one with the longest domain. */
const inRow = [...only, 'long-domain']
const needs = ['websites'] as const

const escape = (page: Page) => page.keyboard.press('Escape')
const cancel = (within: Page | Locator) => press(within, 'Cancel')
const discardDialog = async (page: Page) => {
  await ways.discard(page)
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
}
const deselect = async (page: Page) => {
  await closeDialog(page)
  await escape(page)
}
const showCommands = async (page: Page) => {
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').waitFor()
}
const showRowMenu = async (page: Page) => {
  await rows(page).nth(3).click({ button: 'right' })
  await page.getByRole('menu').waitFor()
}
const chooseItem = (page: Page, name: string) => page.getByRole('menuitem', { name: t(name), exact: true }).click()
const searchOf = (page: Page) => page.getByRole('combobox', { name: t('Search websites') })

const opened = (screen: string, button: string | RegExp, leave = closeDialog): Screen => ({
  async show(page) {
    await goTo(page, screen)
    await press(page, button)
    if (leave === closeDialog) await ways.openDialog(page).waitFor()
  },
  leave,
  only,
})

const menu = (name: string): Screen => ({
  async show(page) {
    await showWebsites(page)
    await press(page, name)
    await page.getByRole('menu').waitFor()
  },
  leave: escape,
  needs,
  only,
})

/** The screens by name. Each starts where the one before it ended, so their order matters. */
export const screens: Record<string, Screen> = {
  websites: { show: showWebsites },
  filters: {
    async show(page) {
      await showWebsites(page)
      await searchOf(page).fill('privacy:public bots:excluded -reports:off created:30d ')
      await press(page, /^Filter \(/)
      await page.getByRole('dialog').waitFor()
    },
    async leave(page) {
      await page.getByRole('dialog').getByRole('button').last().click()
      await page.keyboard.press('Escape')
    },
    needs,
    only,
  },
  search: {
    async show(page) {
      await showWebsites(page)
      await searchOf(page).fill('priv')
      await page.getByRole('listbox').waitFor()
    },
    async leave(page) {
      await searchOf(page).clear()
      await showWebsites(page)
    },
    needs,
    only,
  },
  selection: { show: ways.selectAll, leave: escape, needs, only: [...inRow, 'ten-thousand', 'one'] },
  'row-menu': {
    async show(page) {
      await showWebsites(page)
      await showRowMenu(page)
    },
    leave: escape,
    needs,
    only: inRow,
  },
  // From here on, the menus also offer to paste settings.
  'paste-settings': {
    async show(page) {
      await showWebsites(page)
      await showRowMenu(page)
      await chooseItem(page, 'Copy settings')
      await ways.dismissToasts(page)
      await ways.selectAll(page)
      await showRowMenu(page)
      await chooseItem(page, 'Paste settings…')
      const preview = page.getByRole('dialog').getByText(t(/will change/))
      await preview.first().waitFor()
    },
    leave: deselect,
    needs,
    only,
  },
  'selection-menu': {
    async show(page) {
      await ways.selectAll(page)
      await showRowMenu(page)
    },
    async leave(page) {
      await escape(page)
      await escape(page)
    },
    needs,
    only,
  },
  editor: { show: ways.openEditor, leave: ways.closeEditor },
  'editor-menu': {
    async show(page) {
      await ways.openEditor(page)
      await press(page, 'More actions')
      await page.getByRole('menu').waitFor()
    },
    async leave(page) {
      await escape(page)
      await ways.closeEditor(page)
    },
    needs,
    only: inRow,
  },
  'editor-changed': { show: ways.changeEditor, needs, only: inRow },
  leave: { show: ways.askLeave, leave: ways.discard, needs, only: inRow },
  delete: {
    show: ways.askDelete,
    async leave(page) {
      await closeDialog(page)
      await ways.closeEditor(page)
    },
    needs,
    only: inRow,
  },
  presets: { show: ways.showPresets },
  'delete-preset': {
    async show(page) {
      await press(page.getByRole('article'), /^Delete ./)
      await page.getByRole('alertdialog').waitFor()
    },
    leave: closeDialog,
    needs,
    only,
  },
  preset: {
    async show(page) {
      await ways.goToPresets(page)
      await press(page, 'New preset…')
      await ways.openDialog(page).waitFor()
    },
    leave: closeDialog,
    only,
  },
  'new-website': {
    async show(page) {
      await showWebsites(page)
      await press(page, 'Add website')
      await page.getByLabel(t('Preset'), { exact: true }).waitFor()
    },
    leave: ways.closeEditor,
    needs,
    only,
  },
  account: { show: (page) => goTo(page, 'Account') },
  disconnect: opened('Account', 'Disconnect…'),
  settings: { show: (page) => goTo(page, 'Settings') },
  addresses: { show: ways.nameAddresses, only },
  address: {
    async show(page) {
      await press(page.getByRole('region', { name: t('Named addresses') }), /^Edit ./)
      await ways.openDialog(page).waitFor()
    },
    leave: closeDialog,
    only,
  },
  'address-menu': {
    show: ways.showNamedAddresses,
    async leave(page) {
      await escape(page)
      await ways.discard(page)
    },
    needs,
    only,
  },
  'replace-address': {
    async show(page) {
      await ways.command(page, 'Replace an address everywhere…')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(t('Named address to replace')).selectOption('Home')
      await dialog.getByLabel(t('New addresses')).fill('203.0.113.0/28')
    },
    leave: discardDialog,
    only,
  },
  'add-several': {
    show: (page) => ways.addSeveral(page, `shop.example\nblog.example\nnot a domain\nblog.example\n${LONGEST_DOMAIN}`),
    leave: discardDialog,
  },
  'compare-list': {
    async show(page) {
      await ways.command(page, 'Compare with a list…')
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox').fill(`shop.example\nblog.example\nnot a domain\nmallow-farm.example`)
      await dialog.getByRole('tab').nth(3).waitFor()
    },
    leave: closeDialog,
    only,
  },
  'bulk-edit': { show: ways.editAll, leave: deselect, needs },
  'bulk-preview': {
    async show(page) {
      await ways.editAll(page)
      const dialog = page.getByRole('dialog')
      await ways.choose(dialog, 'Privacy', 'Public')
      await dialog.getByText(t(/will change/)).scrollIntoViewIfNeeded()
    },
    async leave(page) {
      await ways.discard(page)
      await escape(page)
    },
    needs,
    only: [...inRow, 'one', 'ten-thousand'],
  },
  commands: { show: showCommands, leave: closeDialog },
  'commands-found': {
    async show(page) {
      await showCommands(page)
      await page.getByRole('dialog').getByRole('combobox').fill('example')
      const found = page.getByRole('option', { name: /\.example/ })
      await found.first().waitFor()
    },
    leave: closeDialog,
    needs,
    only: inRow,
  },
  shortcuts: {
    async show(page) {
      // Not opened by its key “?”, which would be typed into the search field if that had the focus.
      await ways.command(page, 'Keyboard shortcuts')
      await page.getByRole('dialog', { name: t('Keyboard shortcuts') }).waitFor()
    },
    leave: closeDialog,
  },
  view: menu('View'),
  import: menu('Import or compare'),
  export: menu('Export the list'),
  'bulk-delete': {
    async show(page) {
      await ways.selectAll(page)
      await ways.command(page, 'Delete the selected websites…')
      await page.getByRole('alertdialog').waitFor()
    },
    leave: deselect,
    needs,
    only,
  },
  'add-table': {
    show: (page) =>
      ways.addSeveral(
        page,
        'site,visibility,mail\nshop.example,private,yes\nblog.example,public,no\nnews.example,hidden,no',
      ),
    leave: discardDialog,
    only,
  },
  // Needs a service with a key that the user has entered, which the embedded sample service doesn't have.
  'replace-key': { ...opened('Account', 'Replace API key…', cancel), needs: ['service'], only: [...only, 'marks'] },
  'set-up': {
    async show(page) {
      await ways.showAdvancedSettings(page)
      await press(page, 'Check setup')
      await page.getByText(t('Disk'), { exact: true }).waitFor()
      await page.getByText(t('Tray'), { exact: true }).last().scrollIntoViewIfNeeded()
    },
    only,
  },
  rename: opened('Settings', /^Rename/, cancel),
  remove: opened('Settings', /^Remove/),
  'add-account': opened('Settings', 'Add account…', cancel),
  'create-again': {
    async show(page) {
      await ways.showActivity(page)
      await ways.deleteFirst(page)
      await goTo(page, 'Pending')
      await press(page, 'Send now')
      await ways.allSent(page)
      await goTo(page, 'Activity')
      await press(page, 'Add again…')
      await ways.openDialog(page).waitFor()
    },
    leave: closeDialog,
    needs,
    only,
  },
  // The delete waits while the question is open, and is undone before the next screen.
  'leave-unsent': {
    async show(page) {
      await ways.deleteFirst(page)
      await goTo(page, 'Account')
      await press(page, 'Disconnect…')
      await page.getByRole('alertdialog').waitFor()
    },
    async leave(page) {
      await closeDialog(page)
      await goTo(page, 'Pending')
      await press(page.getByRole('listitem'), 'Undo')
    },
    needs,
    only,
  },
  activity: { show: ways.showActivity },
  history: {
    async show(page) {
      await ways.showActivity(page)
      await showWebsites(page)
      await ways.openEditor(page)
      await page.getByRole('tab', { name: t('History') }).click()
      await page
        .getByRole('list', { name: t('History') })
        .getByRole('listitem')
        .first()
        .waitFor()
    },
    leave: ways.closeEditor,
    needs,
  },
  // Shows the changes as they are if one needs attention. Otherwise shows a delete that waits to be sent.
  pending: {
    async show(page) {
      await showWebsites(page)
      const needed = page.getByRole('status').getByText(t(/needs attention/))
      if (!(await needed.isVisible()) && (await ways.hasWebsites(page))) await ways.deleteFirst(page)
      await goTo(page, 'Pending')
    },
    async leave(page) {
      const undo = page.getByRole('listitem').getByRole('button', { name: t('Undo') })
      if ((await undo.count()) === 1) await undo.click()
    },
  },
  // Taken while the bulk change is being sent.
  bulkChange: {
    async show(page) {
      await showWebsites(page)
      await ways.changeAll(page)
      await ways.command(page, 'Show the last bulk change')
      await page.getByRole('dialog').getByRole('listitem').first().waitFor()
    },
    async leave(page) {
      await escape(page)
      await goTo(page, 'Pending')
      await press(page, 'Undo all')
      const waiting = page.getByRole('status').getByText(t(/waiting|left/))
      await waiting.waitFor()
      await ways.allSent(page, 300_000)
    },
    needs,
    only: [...inRow, 'ten-thousand'],
  },
  'import-table': {
    async show(page) {
      await ways.command(page, 'Import changes from a table…')
      await page.getByRole('dialog').getByRole('tab').first().waitFor()
    },
    leave: discardDialog,
    needs,
    only,
  },
  'save-view': {
    async show(page) {
      await showWebsites(page)
      await press(page, 'View')
      await chooseItem(page, 'Save view…')
      await ways.openDialog(page).waitFor()
    },
    leave: closeDialog,
    needs,
    only,
  },
  // From here on, the sidebar has a view.
  'saved-view': { show: ways.saveView, needs, only },
  'rename-view': {
    async show(page) {
      await press(page, 'View')
      await chooseItem(page, 'Rename view…')
      await ways.openDialog(page).waitFor()
    },
    async leave(page) {
      await closeDialog(page)
      await showWebsites(page)
    },
    needs,
    only,
  },
  // From here on, the list has another column.
  tags: { show: ways.showTags, leave: ways.closeEditor, needs, only },
  'tags-dialog': {
    async show(page) {
      await showWebsites(page)
      await ways.askTags(page, 1)
    },
    leave: closeDialog,
    needs,
    only,
  },
  'delete-tag': {
    async show(page) {
      await ways.askTags(page, 1)
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('listitem').first().getByRole('button').click()
      await press(dialog, 'Delete…')
      await page.getByRole('alertdialog').waitFor()
    },
    async leave(page) {
      await cancel(page.getByRole('alertdialog'))
      // The first Escape closes the fields of the tag.
      await page.keyboard.press('Escape')
      await closeDialog(page)
    },
    needs,
    only,
  },
  // From here on, there is a second account.
  'account-menu': {
    async show(page) {
      await ways.addAccount(page, 'Harbor Studio')
      await page.keyboard.press('Control+Alt+1')
      await showWebsites(page)
      await press(page, /Switch account$/)
      await page.getByRole('menu').waitFor()
    },
    leave: closeDialog,
    only,
  },
  // The last screen, because there is no way back from it.
  resolve: { show: ways.collide, needs: ['websites', 'service'], only: [...inRow, 'failed'] },
}
