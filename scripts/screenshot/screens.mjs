// @ts-check
/** Every screen, reached as a person reaches it; each way leaves what the next one can begin from. */

/** @typedef {import('playwright').Page} Page */

/**
 * @param {Page} page
 * @param {string} name
 */
const goTo = (page, name) =>
  page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name, exact: true }).click()

/** @param {Page} page */
const rows = (page) => page.getByRole('grid', { name: 'Websites' }).getByRole('row')

/** @param {Page} page whether there is a website to be opened */
export const hasWebsites = async (page) => (await rows(page).count()) > 1

/** @param {Page} page */
const showWebsites = async (page) => {
  await goTo(page, 'Websites')
  await rows(page)
    .nth(1)
    .or(page.getByRole('heading', { name: /No websites|first website/i }))
    .first()
    .waitFor()
}

/** @param {Page} page the editor of the first website; of a new one, where there is none */
const openEditor = async (page) => {
  await showWebsites(page)
  if (await hasWebsites(page)) await rows(page).nth(1).click()
  else await page.getByRole('button', { name: 'Add website' }).first().click()
  await page.getByRole('form', { name: 'Website' }).waitFor()
}

/** @param {Page} page */
const closeEditor = async (page) => {
  const form = page.getByRole('form', { name: 'Website' })
  if (await form.isVisible()) await form.getByRole('button', { name: 'Cancel' }).click()
}

/** @param {Page} page a delete waits ten seconds for Undo, long enough to be looked at */
const deleteFirst = async (page) => {
  await openEditor(page)
  await page.getByRole('form', { name: 'Website' }).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').waitFor({ state: 'hidden' })
}

/**
 * @param {Page} page
 * @param {string} name
 * @param {[field: string, value: string][]} settings
 */
const addProfile = async (page, name, ...settings) => {
  await goTo(page, 'Profiles')
  await page.getByRole('button', { name: 'New profile…' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(name)
  for (const [field, value] of settings)
    await dialog.getByRole('radiogroup', { name: field }).getByRole('radio', { name: value, exact: true }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  const compared = page.getByRole('article', { name }).getByText(/differ|are so|is so/)
  await compared.first().waitFor()
  await page.getByRole('button', { name: 'Dismiss' }).click()
}

/** @param {Page} page */
const showProfiles = async (page) => {
  await showWebsites(page)
  const many = await hasWebsites(page)
  await goTo(page, 'Profiles')
  if (!many) return
  await addProfile(page, 'Client default', ['Privacy', 'Private'], ['Exclude bots', 'On'])
  await addProfile(page, 'With reports', ['Email reports', 'On'])
  const differences = page.getByRole('article', { name: 'Client default' }).getByText('What differs')
  if (await differences.isVisible()) await differences.click()
}

/** @param {Page} page */
const closeDialog = async (page) => {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
}

/** @type {Record<string, { show: (page: Page) => Promise<unknown>, leave?: (page: Page) => Promise<unknown>, needsWebsites?: true }>} */
export const screens = {
  websites: { show: showWebsites },
  editor: { show: openEditor, leave: closeEditor },
  profiles: { show: showProfiles },
  account: { show: (page) => goTo(page, 'Account') },
  settings: { show: (page) => goTo(page, 'Settings') },
  'add-several': {
    show: async (page) => {
      await showWebsites(page)
      await page.keyboard.press('Control+Shift+N')
      const dialog = page.getByRole('dialog', { name: 'Add several websites' })
      await dialog
        .getByRole('textbox', { name: 'Domains' })
        .fill('shop.example\nblog.example\nnot a domain\nblog.example')
      await dialog.getByRole('button', { name: /^Add \d/ }).waitFor()
    },
    leave: async (page) => {
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Discard what I typed' }).click()
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    },
  },
  'bulk-edit': {
    show: async (page) => {
      await showWebsites(page)
      await rows(page).nth(1).getByRole('button').first().focus()
      await page.keyboard.press('Control+a')
      await page.keyboard.press('Control+e')
      await page.getByRole('dialog').waitFor()
    },
    leave: async (page) => {
      await closeDialog(page)
      await page.keyboard.press('Escape')
    },
    needsWebsites: true,
  },
  commands: {
    show: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').waitFor()
    },
    leave: closeDialog,
  },
  shortcuts: {
    show: async (page) => {
      await page.keyboard.press('?')
      await page.getByRole('dialog').waitFor()
    },
    leave: closeDialog,
  },
  // The last one: what it deletes is gone. Where something needs the person, that is what there is to be seen.
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
  },
}
