/** The ways to the screens, as a user goes them. Each function starts on the screen where another one has ended. */
import type { Locator, Page } from 'playwright'
import { startSampleService, type SampleService } from '../../src/main/sample/service.ts'
import { t, textOf } from './texts.ts'

/** A domain that the sample service refuses, because another account has it. */
export const REFUSED = 'taken.example'

export const rows = (page: Page): Locator => page.getByRole('grid', { name: t('Websites') }).getByRole('row')
const formOf = (page: Page): Locator => page.getByRole('form', { name: t('Website') })
export const openDialog = (page: Page): Locator => page.getByRole('dialog').or(page.getByRole('alertdialog'))
export const hasWebsites = async (page: Page): Promise<boolean> => (await rows(page).count()) > 1

export const press = (within: Page | Locator, name: string | RegExp): Promise<void> =>
  within
    .getByRole('button', { name: t(name), exact: true })
    .first()
    .click()

export const choose = (within: Page | Locator, group: string, name: string): Promise<void> =>
  within
    .getByRole('radiogroup', { name: t(group) })
    .getByRole('radio', { name: t(name), exact: true })
    .click()

export const goTo = (page: Page, screen: string): Promise<void> =>
  press(page.getByRole('navigation', { name: t('Screens') }), screen)

/** Shows the presets by their shortcut, because the sidebar has no entry for them while there is no preset. */
export const goToPresets = (page: Page): Promise<void> => page.keyboard.press('Control+3')

export async function showAdvancedSettings(page: Page): Promise<void> {
  await goTo(page, 'Settings')
  await page.getByText(t('Advanced'), { exact: true }).click()
}

export async function showWebsites(page: Page): Promise<void> {
  await goTo(page, 'Websites')
  const none = page.getByRole('heading', { name: t(/No websites|first website/i) })
  await rows(page).nth(1).or(none).first().waitFor()
}

export async function command(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.keyboard.type(textOf(text))
  await page.keyboard.press('Enter')
}

/** Opens the editor of the first website, or of a new one if there is none. */
export async function openEditor(page: Page): Promise<void> {
  await showWebsites(page)
  if (await hasWebsites(page)) await rows(page).nth(1).click()
  else await press(page, 'Add website')
  await formOf(page).waitFor()
}

export async function closeEditor(page: Page): Promise<void> {
  if (await formOf(page).isVisible()) await press(formOf(page), 'Close')
}

export async function askDelete(page: Page): Promise<void> {
  await openEditor(page)
  await press(formOf(page), 'More actions')
  await page.getByRole('menuitem', { name: t('Delete…'), exact: true }).click()
  await page.getByRole('alertdialog').waitFor()
}

export async function deleteFirst(page: Page): Promise<void> {
  await askDelete(page)
  await press(page.getByRole('alertdialog'), 'Delete')
  await page.getByRole('alertdialog').waitFor({ state: 'hidden' })
}

/** Changes the first website in the editor without saving. One of the typed addresses is invalid, and one is repeated. */
export async function changeEditor(page: Page): Promise<void> {
  await openEditor(page)
  await formOf(page)
    .getByRole('radio', { name: t('Password'), exact: true })
    .click()
  const addresses = '203.0.113.7\n198.51.100.0/24\n198.51.100.9\n203.0.113.7\n10.0.0.300'
  await formOf(page).getByLabel(t('Excluded IP addresses')).fill(addresses)
}

/** Tries to leave a form with unsaved text, and waits for the question whether to leave it without saving. */
export async function askLeave(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: t('Leave without saving') }).waitFor()
}

export async function discard(page: Page): Promise<void> {
  if (!(await page.getByRole('button', { name: t('Leave without saving') }).isVisible())) await askLeave(page)
  await press(page, 'Leave without saving')
  await page.getByRole('alertdialog').waitFor({ state: 'hidden' })
}

/** Types domains, as lines or as a table, into “Add multiple”. */
export async function addSeveral(page: Page, domains: string): Promise<void> {
  await showWebsites(page)
  await page.keyboard.press('Control+Shift+N')
  const dialog = page.getByRole('dialog', { name: t('Add multiple websites') })
  const field = dialog.getByRole('textbox', { name: t('Domains') })
  await field.fill(domains)
  // Shows the beginning of the lines, because filling the field may scroll to the end of a long one.
  await field.evaluate((element) => element.scrollTo(0, 0))
  await dialog.getByRole('button', { name: t(/^Add \d/) }).waitFor()
}

export async function selectAll(page: Page): Promise<void> {
  await showWebsites(page)
  await rows(page).nth(1).getByRole('button').first().focus()
  await page.keyboard.press('Control+a')
}

export async function editAll(page: Page): Promise<void> {
  await selectAll(page)
  await page.keyboard.press('Control+e')
  await page.getByRole('dialog').waitFor()
}

export async function changeAll(page: Page): Promise<void> {
  await editAll(page)
  const dialog = page.getByRole('dialog')
  await choose(dialog, 'Privacy', 'Public')
  await press(dialog, /^Change \S+ websites$/)
  await dialog.waitFor({ state: 'hidden' })
  await page.keyboard.press('Escape')
}

async function saveEditor(page: Page): Promise<void> {
  await press(formOf(page), 'Save')
  await formOf(page)
    .getByText(t(/^Saved/))
    .waitFor()
  await closeEditor(page)
}

export const allSent = (page: Page, timeout?: number): Promise<void> =>
  page
    .getByRole('status')
    .getByText(t(/waiting|left/))
    .waitFor({ state: 'hidden', ...(timeout !== undefined && { timeout }) })

export async function showActivity(page: Page): Promise<void> {
  await showWebsites(page)
  if (await hasWebsites(page)) {
    await openEditor(page)
    await page.getByRole('switch', { name: t('Email reports') }).click()
    await saveEditor(page)
    await allSent(page)
  }
  await goTo(page, 'Activity')
  await page.getByRole('main').getByRole('heading').first().waitFor()
}

export async function togglePause(page: Page): Promise<void> {
  await goTo(page, 'Settings')
  await page.getByRole('switch', { name: t('Pause sending') }).click()
}

/** Changes the first website while another client changes the same fields. Ends in the list of pending changes. */
export async function collide(page: Page, service: SampleService | null): Promise<void> {
  await togglePause(page)
  await showWebsites(page)
  await rows(page).filter({ hasNotText: REFUSED }).nth(1).click()
  await formOf(page)
    .getByRole('radio', { name: t('Public'), exact: true })
    .click()
  await formOf(page).getByLabel(t('Excluded IP addresses')).fill('203.0.113.7\n198.51.100.0/24')
  await saveEditor(page)
  const { id = 0 } = service?.store.all().at(-1) ?? {}
  service?.store.update(id, { privacy: 2, password: 'theirs' })
  await togglePause(page)
  await goTo(page, 'Pending')
  await page.getByRole('radio', { name: t('Keep mine') }).click()
}

async function addPreset(
  page: Page,
  { name, forNew = false, settings }: { name: string; forNew?: boolean; settings: [field: string, value: string][] },
): Promise<void> {
  await goToPresets(page)
  await press(page, 'New preset…')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t('Name')).fill(name)
  for (const [field, value] of settings) await choose(dialog, field, value)
  if (forNew) await dialog.getByRole('switch', { name: t('Use for new websites') }).click()
  await press(dialog, 'Save')
  const compared = page.getByRole('article', { name }).getByText(t(/differ|match/))
  await compared.first().waitFor()
  await press(page, 'Dismiss')
}

/** Shows the presets. If there are websites, adds two presets first, and shows which websites differ from them. */
export async function showPresets(page: Page): Promise<void> {
  await showWebsites(page)
  const many = await hasWebsites(page)
  await goToPresets(page)
  if (!many) return
  const settings: [string, string][] = [
    ['Privacy', 'Private'],
    ['Exclude bots', 'On'],
  ]
  await addPreset(page, { name: 'Client default', forNew: true, settings })
  await addPreset(page, { name: 'With reports', settings: [['Email reports', 'On']] })
  for (const differences of await page.getByRole('article').getByText(t('Differences')).all()) await differences.click()
  await page.getByRole('main').evaluate((main) => {
    for (const part of main.querySelectorAll('*')) part.scrollTop = 0
  })
}

export async function askTags(page: Page, row: number): Promise<void> {
  await rows(page).nth(row).getByRole('button').first().click({ button: 'right' })
  await page.getByRole('menuitem', { name: t('Tags and note…') }).click()
  await page.getByRole('dialog').waitFor()
}

export async function showTags(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  const save = async (): Promise<void> => {
    await press(dialog, 'Save')
    await dialog.waitFor({ state: 'hidden' })
  }
  await showWebsites(page)
  await askTags(page, 1)
  if ((await dialog.getByRole('checkbox').count()) === 0) {
    for (const name of ['client-a', 'renewal']) {
      await dialog.getByLabel(t('New tag')).fill(name)
      await press(dialog, 'Add tag')
      await dialog.getByRole('checkbox', { name }).waitFor()
    }
    await dialog.getByLabel(t('Note')).fill('Invoice in May. Ask before the privacy is changed.')
    await save()
    for (const [row, name] of [
      [3, 'renewal'],
      [4, 'client-a'],
      [7, 'client-a'],
    ] as const) {
      await askTags(page, row)
      await dialog.getByRole('checkbox', { name }).check()
      await save()
    }
  } else await closeDialog(page)
  await dismissToasts(page)
  await openEditor(page)
}

/** Saves the list with two filters as a view, which is open afterwards. */
export async function saveView(page: Page): Promise<void> {
  await showWebsites(page)
  await page.getByRole('combobox', { name: t('Search websites') }).fill('privacy:public bots:excluded ')
  await press(page, 'View')
  await page.getByRole('menuitem', { name: t('Save view…') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t('Name'), { exact: true }).fill(textOf('Public'))
  await press(dialog, 'Save')
  await dialog.waitFor({ state: 'hidden' })
  await dismissToasts(page)
}

export async function dismissToasts(page: Page): Promise<void> {
  const buttons = page.getByRole('button', { name: t('Dismiss'), exact: true })
  while (await buttons.first().isVisible()) await buttons.first().click()
}

export async function nameAddresses(page: Page): Promise<void> {
  await showWebsites(page)
  for (const [name, lines] of [
    ['Office Berlin', '192.0.2.7\n2001:db8:12::/48'],
    ['Home', '198.51.100.4'],
  ] as const) {
    await command(page, 'New named address…')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(t('Name'), { exact: true }).fill(name)
    await dialog.getByLabel(t('Addresses and ranges')).fill(lines)
    await press(dialog, 'Save')
    await dialog.waitFor({ state: 'hidden' })
    await dismissToasts(page)
  }
  await goTo(page, 'Settings')
  await page.getByRole('region', { name: t('Named addresses') }).scrollIntoViewIfNeeded()
}

/** Opens the menu with the named addresses in the editor of the first website, which excludes one of them. */
export async function showNamedAddresses(page: Page): Promise<void> {
  await openEditor(page)
  await formOf(page).getByLabel(t('Excluded IP addresses')).fill('203.0.113.9\n198.51.100.4')
  await formOf(page).getByRole('button', { name: 'Home', exact: true }).click()
  await press(formOf(page), 'Named addresses')
  await page.getByRole('menu').scrollIntoViewIfNeeded()
}

export async function fillIn(page: Page, { address }: Pick<SampleService, 'address'>, key: string): Promise<void> {
  await page.getByLabel(t('Service address')).fill(address)
  await page.getByLabel(t('API key'), { exact: true }).fill(key)
  await press(page, 'Connect')
}

/** Adds an account of another sample service, which is stopped once its list was read. */
export async function addAccount(page: Page, name: string): Promise<void> {
  const service = await startSampleService({ websites: 63 })
  // The page reports that the editor was closed only when nothing has changed for 200 ms.
  await page.waitForTimeout(400)
  try {
    await goTo(page, 'Settings')
    await press(page, 'Add account…')
    await fillIn(page, service, service.apiKey)
    await page.getByText(t(/^Updated /)).waitFor()
  } finally {
    await service.close()
  }
  await goTo(page, 'Settings')
  await press(page.getByRole('listitem').filter({ hasText: service.address }), /^Rename/)
  const form = page.getByRole('form', { name: t(/^Rename/) })
  await form.getByLabel(t('Name'), { exact: true }).fill(name)
  await press(form, 'Save')
  await form.waitFor({ state: 'hidden' })
}

export async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await openDialog(page).waitFor({ state: 'hidden' })
}
