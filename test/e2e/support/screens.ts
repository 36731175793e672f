import type { Locator, Page } from '@playwright/test'

/** The screens as a user reaches them: by role and name, never by markup. */

export const goTo = (
  page: Page,
  screen: 'Websites' | 'Pending' | 'Activity' | 'Presets' | 'Account' | 'Settings',
): Promise<void> => page.getByRole('navigation').getByRole('button', { name: screen, exact: true }).click()

/** Opens the presets by their keys, because the sidebar leads to them only once there is a preset. */
export const goToPresets = (page: Page): Promise<void> => page.keyboard.press('Control+3')

export async function goToAdvancedSettings(page: Page): Promise<void> {
  await goTo(page, 'Settings')
  await page.getByText('Advanced', { exact: true }).click()
}

/** Waits until the connect form is shown and works. */
export const connectForm = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Try with sample data' }).waitFor()

/** Fills in the connect form and presses Connect. Does not wait for the result. */
export async function askToConnect(page: Page, service: { address: string; apiKey: string }): Promise<void> {
  await page.getByLabel('Service address').fill(service.address)
  await page.getByLabel('API key', { exact: true }).fill(service.apiKey)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
}

export async function connect(page: Page, service: { address: string; apiKey: string }): Promise<void> {
  await askToConnect(page, service)
  await websiteTable(page).waitFor()
  await page.getByText(/^Updated /).waitFor()
}

export const websiteTable = (page: Page): Locator => page.getByRole('grid', { name: 'Websites' })

export const websiteRow = (page: Page, domain: string): Locator =>
  websiteTable(page)
    .getByRole('row')
    .filter({ has: page.getByText(domain, { exact: true }) })

export const searchBox = (page: Page): Locator => page.getByRole('combobox', { name: 'Search websites' })

export const search = (page: Page, text: string): Promise<void> => searchBox(page).fill(text)

export const editor = (page: Page) => {
  const form = page.getByRole('form', { name: 'Website' })
  return {
    form,
    domain: form.getByLabel('Domain'),
    privacy: (name: 'Public' | 'Private' | 'Password') =>
      form.getByRole('radiogroup', { name: 'Privacy' }).getByRole('radio', { name, exact: true }),
    password: form.getByLabel('Statistics password', { exact: true }),
    emailReports: form.getByLabel('Email reports'),
    excludeBots: form.getByLabel('Exclude bots'),
    excludedIps: form.getByLabel('Excluded IP addresses'),
    excludedParams: form.getByLabel('Excluded URL parameters'),
    save: form.getByRole('button', { name: 'Save', exact: true }),
    cancel: form.getByRole('button', { name: 'Cancel' }),
    choose: async (name: string) => {
      await form.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name, exact: true }).click()
    },
  }
}

export async function addWebsite(page: Page): Promise<ReturnType<typeof editor>> {
  await page.getByRole('button', { name: 'Add website' }).first().click()
  await editor(page).form.waitFor()
  return editor(page)
}

export async function saveProtected(page: Page, domain: string, password: string): Promise<void> {
  const form = await addWebsite(page)
  await form.domain.fill(domain)
  await form.privacy('Password').click()
  await form.password.fill(password)
  await form.save.click()
  await websiteRow(page, domain).waitFor()
  await page.keyboard.press('Escape')
}

/** Adds a website with default values. The editor stays open. */
export async function saveWebsite(page: Page, domain: string): Promise<void> {
  const form = await addWebsite(page)
  await form.domain.fill(domain)
  await form.save.click()
}

export async function openWebsite(page: Page, domain: string): Promise<ReturnType<typeof editor>> {
  await websiteRow(page, domain).click()
  await editor(page).form.waitFor()
  return editor(page)
}

export const confirmation = (page: Page): Locator => page.getByRole('alertdialog')
