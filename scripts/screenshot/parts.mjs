// @ts-check
/** What opens within a screen: menus, forms, questions. */
import {
  addSeveral,
  closeDialog,
  deleteFirst,
  deselect,
  discardDialog,
  goTo,
  selectAll,
  showSent,
  showWebsites,
} from './ways.mjs'

/** @typedef {import('playwright').Page} Page */

/** Where there's less room for the same. */
export const TIGHT = ['narrow', 'large-text']

/** @param {Page} page */
const escape = (page) => page.keyboard.press('Escape')

/**
 * @param {string} screen
 * @param {string} name
 */
const press = (screen, name) => async (/** @type {Page} */ page) => {
  await goTo(page, screen)
  await page.getByRole('button', { name, exact: true }).first().click()
}

/** @param {string} name the menu of the list that its button opens */
const menu = (name) => ({
  show: async (/** @type {Page} */ page) => {
    await showWebsites(page)
    await page.getByRole('button', { name, exact: true }).click()
    await page.getByRole('menu').waitFor()
  },
  leave: escape,
  needsWebsites: /** @type {const} */ (true),
  only: TIGHT,
})

/** @type {Record<string, import('./screens.mjs').Screen>} */
export const parts = {
  columns: menu('Columns'),
  export: menu('Export the list'),
  'delete-many': {
    show: async (page) => {
      await selectAll(page)
      await page.keyboard.press('Control+k')
      await page.keyboard.type('delete the selected')
      await page.keyboard.press('Enter')
      await page.getByRole('alertdialog').waitFor()
    },
    leave: deselect,
    needsWebsites: true,
    only: TIGHT,
  },
  // A table whose columns have names of their own.
  'add-table': {
    show: (page) =>
      addSeveral(
        page,
        'site,visibility,mail\nshop.example,private,yes\nblog.example,public,no\nnews.example,hidden,no',
      ),
    leave: discardDialog,
    only: TIGHT,
  },
  'replace-key': {
    show: press('Account', 'Replace key'),
    leave: (page) => page.getByRole('button', { name: 'Cancel' }).click(),
    // The sample service's key isn't the person's.
    needsService: true,
    only: [...TIGHT, 'marks'],
  },
  'set-up': {
    show: async (page) => {
      await press('Settings', 'Check my set-up')(page)
      await page.getByText('Nobody on the way').or(page.getByText('Secure connection')).first().waitFor()
      await page.getByText('Tray', { exact: true }).last().scrollIntoViewIfNeeded()
    },
    only: TIGHT,
  },
  rename: {
    show: async (page) => {
      await goTo(page, 'Settings')
      await page
        .getByRole('button', { name: /^Rename/ })
        .first()
        .click()
    },
    leave: (page) => page.getByRole('button', { name: 'Cancel' }).click(),
    only: TIGHT,
  },
  remove: {
    show: async (page) => {
      await goTo(page, 'Settings')
      await page
        .getByRole('button', { name: /^Remove/ })
        .first()
        .click()
      await page.getByRole('alertdialog').or(page.getByRole('dialog')).waitFor()
    },
    leave: closeDialog,
    only: TIGHT,
  },
  'add-connection': {
    show: async (page) => {
      await press('Settings', 'Add connection…')(page)
      await page.getByRole('heading', { name: 'Add a connection', exact: true }).waitFor()
    },
    leave: (page) => page.getByRole('button', { name: 'Cancel' }).click(),
    only: TIGHT,
  },
  'create-again': {
    show: async (page) => {
      await showSent(page)
      await deleteFirst(page)
      await goTo(page, 'Pending')
      await page.getByRole('button', { name: 'Send now' }).first().click()
      await page
        .getByRole('status')
        .getByText(/waiting/)
        .waitFor({ state: 'hidden' })
      await page.getByRole('tab', { name: 'Sent changes' }).click()
      await page.getByRole('button', { name: 'Create again' }).first().click()
      await page.getByRole('alertdialog').or(page.getByRole('dialog')).waitFor()
    },
    leave: closeDialog,
    needsWebsites: true,
    only: TIGHT,
  },
  // The delete waits while that is asked, and is taken back before anything else is looked at.
  'leave-unsent': {
    show: async (page) => {
      await deleteFirst(page)
      await press('Settings', 'Add connection…')(page)
      await page.getByRole('alertdialog').waitFor()
    },
    leave: async (page) => {
      await closeDialog(page)
      await goTo(page, 'Pending')
      await page.getByRole('listitem').getByRole('button', { name: 'Undo' }).first().click()
    },
    needsWebsites: true,
    only: TIGHT,
  },
}
