// @ts-check
/** The ways to what there is to be seen, as a person goes them; each leaves what the next one can begin from. */

/** @typedef {import('playwright').Page} Page */
/** @typedef {import('../../src/main/sample/service.ts').SampleService} SampleService */

/** The sample service takes no domain of this name. */
export const REFUSED = 'taken.example'

/**
 * @param {Page} page
 * @param {string} name
 */
export const goTo = (page, name) =>
  page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name, exact: true }).click()

/** @param {Page} page */
const rows = (page) => page.getByRole('grid', { name: 'Websites' }).getByRole('row')

/** @param {Page} page whether there is a website to be opened */
export const hasWebsites = async (page) => (await rows(page).count()) > 1

/** @param {Page} page */
export const showWebsites = async (page) => {
  await goTo(page, 'Websites')
  await rows(page)
    .nth(1)
    .or(page.getByRole('heading', { name: /No websites|first website/i }))
    .first()
    .waitFor()
}

/** @param {Page} page the editor of the first website; of a new one, where there is none */
export const openEditor = async (page) => {
  await showWebsites(page)
  if (await hasWebsites(page)) await rows(page).nth(1).click()
  else await page.getByRole('button', { name: 'Add website' }).first().click()
  await page.getByRole('form', { name: 'Website' }).waitFor()
}

/** @param {Page} page */
export const closeEditor = async (page) => {
  const form = page.getByRole('form', { name: 'Website' })
  if (await form.isVisible()) await form.getByRole('button', { name: 'Cancel' }).click()
}

/** @param {Page} page what is asked before a delete */
export const askDelete = async (page) => {
  await openEditor(page)
  await page.getByRole('form', { name: 'Website' }).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').waitFor()
}

/** @param {Page} page a delete waits ten seconds for Undo, long enough to be looked at */
export const deleteFirst = async (page) => {
  await askDelete(page)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').waitFor({ state: 'hidden' })
}

/** @param {Page} page an editor in which something was typed */
export const changeEditor = async (page) => {
  await openEditor(page)
  const form = page.getByRole('form', { name: 'Website' })
  await form.getByRole('radio', { name: 'Password', exact: true }).click()
  await form
    .getByLabel('Excluded IP addresses')
    .fill('203.0.113.7\n198.51.100.0/24\n198.51.100.9\n203.0.113.7\n10.0.0.300')
}

/** @param {Page} page the question whether what was typed may go */
export const askLeave = async (page) => {
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard what I typed' }).waitFor()
}

/** @param {Page} page */
export const discard = async (page) => {
  if (!(await page.getByRole('button', { name: 'Discard what I typed' }).isVisible())) await askLeave(page)
  await page.getByRole('button', { name: 'Discard what I typed' }).click()
  await page.getByRole('alertdialog').waitFor({ state: 'hidden' })
}

/**
 * @param {Page} page
 * @param {string} domains lines, or a table
 */
export const addSeveral = async (page, domains) => {
  await showWebsites(page)
  await page.keyboard.press('Control+Shift+N')
  const dialog = page.getByRole('dialog', { name: 'Add several websites' })
  await dialog.getByRole('textbox', { name: 'Domains' }).fill(domains)
  await dialog.getByRole('button', { name: /^Add \d/ }).waitFor()
}

/** @param {Page} page */
export const discardDialog = async (page) => {
  await discard(page)
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
}

/** @param {Page} page every website selected, and what can be done with them */
export const selectAll = async (page) => {
  await showWebsites(page)
  await rows(page).nth(1).getByRole('button').first().focus()
  await page.keyboard.press('Control+a')
}

/** @param {Page} page */
export const editAll = async (page) => {
  await selectAll(page)
  await page.keyboard.press('Control+e')
  await page.getByRole('dialog').waitFor()
}

/** @param {Page} page one field of every website */
export const changeAll = async (page) => {
  await editAll(page)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radiogroup', { name: 'Privacy' }).getByRole('radio', { name: 'Public', exact: true }).click()
  await dialog.getByRole('button', { name: /^Change \S+ websites$/ }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.keyboard.press('Escape')
}

/** @param {Page} page */
const saveEditor = async (page) => {
  const form = page.getByRole('form', { name: 'Website' })
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  await form.getByText(/^Saved/).waitFor()
  await closeEditor(page)
}

/** @param {Page} page something that was sent */
export const showSent = async (page) => {
  await showWebsites(page)
  if (await hasWebsites(page)) {
    await openEditor(page)
    await page.getByRole('switch', { name: 'Email reports' }).click()
    await saveEditor(page)
    await page
      .getByRole('status')
      .getByText(/waiting/)
      .waitFor({ state: 'hidden' })
  }
  await goTo(page, 'Pending')
  await page.getByRole('tab', { name: 'Sent changes' }).click()
  await page.getByRole('tabpanel').getByRole('heading').first().waitFor()
}

/**
 * The first website, changed here while somebody else changes the same.
 *
 * @param {Page} page
 * @param {SampleService | null} service
 */
export const collide = async (page, service) => {
  const pause = () => page.getByRole('switch', { name: 'Pause sending' }).click()
  const row = rows(page).filter({ hasNotText: REFUSED }).nth(1)
  await goTo(page, 'Settings')
  await pause()
  await showWebsites(page)
  await row.click()
  const form = page.getByRole('form', { name: 'Website' })
  await form.getByRole('radio', { name: 'Public', exact: true }).click()
  await form.getByLabel('Excluded IP addresses').fill('203.0.113.7\n198.51.100.0/24')
  await saveEditor(page)
  const { id = 0, email = 0 } = service?.store.all().at(-1) ?? {}
  service?.store.update(id, { privacy: 2, password: 'theirs', email: email ? 0 : 1 })
  await page.keyboard.press('F5')
  await row.getByText(email ? 'Off' : 'On', { exact: true }).waitFor()
  await goTo(page, 'Settings')
  await pause()
  await goTo(page, 'Pending')
  await page.getByRole('radio', { name: 'Keep mine' }).click()
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
  const compared = page.getByRole('article', { name }).getByText(/differ|match/)
  await compared.first().waitFor()
  await page.getByRole('button', { name: 'Dismiss' }).click()
}

/** @param {Page} page */
export const showProfiles = async (page) => {
  await showWebsites(page)
  const many = await hasWebsites(page)
  await goTo(page, 'Profiles')
  if (!many) return
  await addProfile(page, 'Client default', ['Privacy', 'Private'], ['Exclude bots', 'On'])
  await addProfile(page, 'With reports', ['Email reports', 'On'])
  for (const differences of await page.getByRole('article').getByText('What differs').all()) await differences.click()
}

/** @param {Page} page */
export const closeDialog = async (page) => {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').or(page.getByRole('alertdialog')).waitFor({ state: 'hidden' })
}

/** @param {Page} page */
export const deselect = async (page) => {
  await closeDialog(page)
  await page.keyboard.press('Escape')
}
