// @ts-check
/** Every screen, and what is shown over one; in the order in which one can be begun where the other left. */
import { parts, TIGHT } from './parts.mjs'
import { LONG } from './situations.mjs'
import {
  addSeveral,
  askDelete,
  askLeave,
  changeAll,
  changeEditor,
  closeDialog,
  closeEditor,
  collide,
  deleteFirst,
  deselect,
  discard,
  discardDialog,
  editAll,
  goTo,
  hasWebsites,
  openEditor,
  selectAll,
  showProfiles,
  showSent,
  showWebsites,
} from './ways.mjs'

/** @typedef {import('playwright').Page} Page */
/** @typedef {import('../../src/main/sample/service.ts').SampleService} SampleService */

/**
 * @typedef {object} Screen
 * @property {(page: Page, service: SampleService | null) => Promise<unknown>} show
 * @property {(page: Page) => Promise<unknown>} [leave]
 * @property {true} [needsWebsites]
 * @property {true} [needsService] somebody else writes to it: not to the sample data, which are the app's own
 * @property {readonly string[]} [only] the situations in which it looks otherwise; all, where there is none
 */

/** @type {Record<string, Screen>} */
export const screens = {
  websites: { show: showWebsites },
  search: {
    show: async (page) => {
      await showWebsites(page)
      await page.getByRole('combobox', { name: 'Search websites' }).fill('priv')
      await page.getByRole('listbox').waitFor()
    },
    leave: async (page) => {
      await page.getByRole('combobox', { name: 'Search websites' }).clear()
      await showWebsites(page)
    },
    needsWebsites: true,
    only: TIGHT,
  },
  selection: {
    show: selectAll,
    leave: (page) => page.keyboard.press('Escape'),
    needsWebsites: true,
    only: [...TIGHT, 'ten-thousand', 'one', 'long-domain'],
  },
  editor: { show: openEditor, leave: closeEditor },
  'editor-changed': { show: changeEditor, needsWebsites: true, only: [...TIGHT, 'long-domain'] },
  leave: { show: askLeave, leave: discard, needsWebsites: true, only: [...TIGHT, 'long-domain'] },
  delete: {
    show: askDelete,
    leave: async (page) => {
      await closeDialog(page)
      await closeEditor(page)
    },
    needsWebsites: true,
    only: [...TIGHT, 'long-domain'],
  },
  profiles: { show: showProfiles },
  profile: {
    show: async (page) => {
      await goTo(page, 'Profiles')
      await page.getByRole('button', { name: 'New profile…' }).first().click()
      await page.getByRole('dialog').waitFor()
    },
    leave: closeDialog,
    only: TIGHT,
  },
  account: { show: (page) => goTo(page, 'Account') },
  disconnect: {
    show: async (page) => {
      await goTo(page, 'Account')
      await page.getByRole('button', { name: 'Disconnect' }).click()
      await page.getByRole('alertdialog').or(page.getByRole('dialog')).waitFor()
    },
    leave: closeDialog,
    only: TIGHT,
  },
  settings: { show: (page) => goTo(page, 'Settings') },
  'add-several': {
    show: (page) => addSeveral(page, `shop.example\nblog.example\nnot a domain\nblog.example\n${LONG}`),
    leave: discardDialog,
  },
  'bulk-edit': { show: editAll, leave: deselect, needsWebsites: true },
  'bulk-preview': {
    show: async (page) => {
      await editAll(page)
      const dialog = page.getByRole('dialog')
      await dialog
        .getByRole('radiogroup', { name: 'Privacy' })
        .getByRole('radio', { name: 'Public', exact: true })
        .click()
      await dialog.getByText(/will change/).scrollIntoViewIfNeeded()
    },
    leave: async (page) => {
      await discard(page)
      await page.keyboard.press('Escape')
    },
    needsWebsites: true,
    only: [...TIGHT, 'one', 'ten-thousand', 'long-domain'],
  },
  commands: {
    show: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').waitFor()
    },
    leave: closeDialog,
  },
  'commands-found': {
    show: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').fill('example')
      await page
        .getByRole('option', { name: /\.example/ })
        .first()
        .waitFor()
    },
    leave: closeDialog,
    needsWebsites: true,
    only: [...TIGHT, 'long-domain'],
  },
  shortcuts: {
    show: async (page) => {
      // “?” would be typed where the focus is in the search.
      await page.keyboard.press('Control+k')
      await page.keyboard.type('keyboard shortcuts')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    },
    leave: closeDialog,
  },
  ...parts,
  history: { show: showSent },
  // Where something needs the person, that is what there is to be seen.
  pending: {
    show: async (page) => {
      await showWebsites(page)
      const needed = await page
        .getByRole('status')
        .getByText(/needs you/)
        .isVisible()
      if (!needed && (await hasWebsites(page))) await deleteFirst(page)
      await goTo(page, 'Pending')
    },
    leave: async (page) => {
      const undo = page.getByRole('listitem').getByRole('button', { name: 'Undo' })
      if ((await undo.count()) === 1) await undo.click()
    },
  },
  // On the way, so that each has come as far as it has.
  batch: {
    show: async (page) => {
      await showWebsites(page)
      await changeAll(page)
      await page.keyboard.press('Control+k')
      await page.keyboard.type('Show the last batch')
      await page.keyboard.press('Enter')
      await page.getByRole('grid', { name: 'Websites' }).getByText('Sent').first().waitFor()
    },
    // As it was before, for what is shown after it.
    leave: async (page) => {
      await page.getByRole('combobox', { name: 'Search websites' }).clear()
      await goTo(page, 'Pending')
      await page.getByRole('button', { name: 'Undo all of it' }).click()
      const waiting = page.getByRole('status').getByText(/waiting|left/)
      await waiting.waitFor()
      await waiting.waitFor({ state: 'hidden', timeout: 300_000 })
    },
    needsWebsites: true,
    only: [...TIGHT, 'long-domain', 'ten-thousand'],
  },
  // The last one: there is no way back from it.
  resolve: { show: collide, needsWebsites: true, needsService: true, only: [...TIGHT, 'long-domain', 'failed'] },
}
