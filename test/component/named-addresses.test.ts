import { page } from 'vitest/browser'
import { beforeEach, expect, test } from 'vitest'
import { fail, ok } from '../../src/shared/result.ts'
import type { NamedAddress } from '../../src/shared/named-address.ts'
import type { Preset } from '../../src/shared/preset.ts'
import type { WebsiteView } from '../../src/shared/website.ts'
import { defaultSettings } from '../../src/shared/state.ts'
import { openApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { aConnection, anAppState, anEdit, LATER, websites } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 900))

const office: NamedAddress = { name: 'Office Berlin', lines: ['192.0.2.7', '2001:db8::/32'] }
const home: NamedAddress = { name: 'Home', lines: ['198.51.100.4'] }
const all = websites(6).map((website, n) => ({
  ...website,
  exclude_ips: n < 2 ? ['10.0.0.1', '192.0.2.7/32', '2001:DB8::/32'] : [],
}))
const [first = '', , third = ''] = all.map(({ domain }) => domain)

/** Opens the list of websites. `menu` chooses an item of the menu “Named addresses” in the editor. */
async function opened(namedAddresses: NamedAddress[] = [office, home], more: Parameters<typeof openApp>[0] = {}) {
  const app = await openApp({ websites: all, settings: { ...defaultSettings, namedAddresses }, ...more })
  await expect.element(app.row(first)).toBeVisible()
  const dialog = (name: string) => page.getByRole('dialog', { name })
  const item = (name: string) => app.screen.getByRole('menuitem', { name, exact: true })
  const menu = async (name: string) => {
    await app.screen.getByRole('button', { name: 'Named addresses', exact: true }).click()
    await item(name).click()
  }
  const saved = () => app.bridge.requests('setSettings').at(-1)?.namedAddresses
  return { ...app, dialog, item, menu, saved }
}

test('shows a chip instead of the lines of a named address, however they are written, and adds other named addresses by a menu', async () => {
  const { row, form, item, keys, screen, bridge } = await opened()
  await row(first).click()
  const chips = form().form.getByRole('list', { name: 'Named addresses in this list' })
  const chip = (name: string) => chips.getByRole('button', { name, exact: true })
  await expect.element(chip('Office Berlin')).toHaveAttribute('aria-expanded', 'false')
  await expect.element(form().ips).toHaveValue('10.0.0.1')
  await expectAccessible()
  ;(screen.getByRole('button', { name: 'Named addresses', exact: true }).element() as HTMLElement).focus()
  await keys('{Enter}')
  await expect.element(item('Add Office Berlin')).not.toBeInTheDocument()
  await expect.element(item('Add Home')).toHaveFocus()
  await keys('{Enter}')
  await expect.element(chip('Home')).toHaveAttribute('aria-expanded', 'false')
  await expect.element(form().ips).toHaveValue('10.0.0.1')
  // The chip can be opened by keyboard, and its lines can be hidden again.
  ;(chip('Office Berlin').element() as HTMLElement).focus()
  await keys('{Enter}')
  await expect.element(form().ips).toHaveValue('10.0.0.1\n192.0.2.7/32\n2001:DB8::/32')
  await expectAccessible()
  await keys('{Enter}')
  await expect.element(form().ips).toHaveValue('10.0.0.1')
  // The lines behind chips keep their positions in the list when the user types.
  await form().ips.fill('10.0.0.1\n203.0.113.9')
  await keys('{Control>}s{/Control}')
  await expect
    .poll(() => bridge.requests('updateWebsite').at(-1)?.changes.exclude_ips)
    .toEqual(['10.0.0.1', '192.0.2.7/32', '2001:DB8::/32', '198.51.100.4', '203.0.113.9'])
})

test('removes the lines of a chip except those that another chip needs, and focuses the next chip', async () => {
  const { row, form, keys } = await opened([office, { name: 'Also', lines: ['192.0.2.7', '10.0.0.1'] }])
  await row(first).click()
  await expect.element(form().ips).toHaveValue('')
  const remove = (name: string) => form().form.getByRole('button', { name: `Remove ${name}` })
  ;(remove('Office Berlin').element() as HTMLElement).focus()
  await keys('{Enter}')
  await expect.element(form().form.getByRole('button', { name: 'Office Berlin', exact: true })).not.toBeInTheDocument()
  await expect.element(form().ips).toHaveValue('')
  await expect.element(remove('Also')).toHaveFocus()
  await form().form.getByRole('button', { name: 'Also', exact: true }).click()
  await expect.element(form().ips).toHaveValue('10.0.0.1\n192.0.2.7/32')
})

test('removes the lines of a chip although they are all in another chip, and then shows the remaining lines of the other chip as text', async () => {
  const { row, form } = await opened([office, { name: 'Router', lines: ['192.0.2.7'] }])
  await row(first).click()
  await form().form.getByRole('button', { name: 'Remove Router' }).click()
  // The list lacks one line of the other named address, so the field shows the other lines as text.
  await expect.element(form().ips).toHaveValue('10.0.0.1\n2001:DB8::/32')
  await expect.element(form().form.getByRole('list', { name: 'Named addresses in this list' })).not.toBeInTheDocument()
})

test('keeps typed lines in sight when they complete a named address, and marks a repeated line', async () => {
  const { row, form, screen, item } = await opened()
  await row(third).click()
  const chip = (name: string) => form().form.getByRole('button', { name, exact: true })
  await form().ips.fill('198.51.100.4')
  await expect.element(chip('Home')).toHaveAttribute('aria-expanded', 'true')
  await expect.element(form().ips).toHaveValue('198.51.100.4')
  await chip('Home').click()
  await expect.element(form().ips).toHaveValue('')
  await form().ips.fill('10.0.0.1\n198.51.100.4')
  await expect.element(form().ips).toHaveValue('10.0.0.1\n198.51.100.4')
  await expect.element(form().form.getByText(/198\.51\.100\.4.* line 1/)).toBeVisible()
  await form().form.getByRole('button', { name: 'Line 3' }).click()
  const { selectionStart, selectionEnd } = form().ips.element() as HTMLTextAreaElement
  expect([selectionStart, selectionEnd]).toEqual([9, 21])

  await form().ips.fill('2001:db8::/32')
  await screen.getByRole('button', { name: 'Named addresses', exact: true }).click()
  await item('Add Office Berlin').click()
  // The list already contains the second line of “Office Berlin”. Only the first one is added.
  await expect.element(chip('Office Berlin')).toHaveAttribute('aria-expanded', 'false')
  await expect.element(form().ips).toHaveValue('')
})

test('creates the first named address from the excluded IP addresses of a website, and then shows the section in Settings', async () => {
  const { row, form, menu, dialog, saved, goTo, screen } = await opened([])
  await goTo('Settings')
  await expect.element(screen.getByRole('heading', { name: 'Named addresses' })).not.toBeInTheDocument()
  await goTo('Websites')
  await row(first).click()
  await menu('New named address…')
  const name = dialog('New named address').getByRole('textbox', { name: 'Name' })
  const lines = dialog('New named address').getByRole('textbox', { name: 'Addresses and ranges' })
  await expect.element(name).toHaveFocus()
  await expect.element(lines).toHaveValue('10.0.0.1\n192.0.2.7/32\n2001:DB8::/32')
  await name.fill('Everywhere')
  await dialog('New named address').getByRole('button', { name: 'Save' }).click()
  await expect.element(form().form.getByRole('listitem').getByText('Everywhere')).toBeVisible()
  await expect.element(form().ips).toHaveValue('')
  expect(saved()).toEqual([{ name: 'Everywhere', lines: ['10.0.0.1', '192.0.2.7/32', '2001:DB8::/32'] }])
  await goTo('Settings')
  await expect.element(screen.getByRole('heading', { name: 'Named addresses' })).toBeVisible()
})

test('Ctrl+Z takes back a new named address and an edited one, and changes no website', async () => {
  const { keys, dialog, saved, goTo, screen, bridge } = await opened()
  await goTo('Settings')
  await screen.getByRole('button', { name: 'Edit Home' }).click()
  const name = dialog('Edit named address').getByRole('textbox', { name: 'Name' })
  await name.fill('Flat')
  await dialog('Edit named address').getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => saved()?.map((one) => one.name)).toEqual(['Flat', 'Office Berlin'])
  await keys('{Control>}k{/Control}')
  await keys('new named address{Enter}')
  await dialog('New named address').getByRole('textbox', { name: 'Name' }).fill('Paris')
  await dialog('New named address').getByRole('textbox', { name: 'Addresses and ranges' }).fill('203.0.113.9')
  await dialog('New named address').getByRole('button', { name: 'Save' }).click()
  await expect.element(screen.getByText('The named address “Paris” was saved.')).toBeVisible()
  await keys('{Control>}z{/Control}')
  await expect.poll(() => saved()?.map((one) => one.name)).toEqual(['Flat', 'Office Berlin'])
  await expect.element(screen.getByText(/^The named address “Paris” was deleted\./)).toBeVisible()
  await keys('{Control>}z{/Control}')
  await expect.poll(() => saved()).toEqual([home, office])
  await expect.element(screen.getByText('The named address “Home” was restored.')).toBeVisible()
  expect(bridge.requests('undoEdit')).toEqual([])
})

test('another change of a named address removes the toast of the change before, and both changes are undone one by one, also in another account', async () => {
  const { keys, dialog, saved, goTo, screen, bridge } = await opened(undefined, { state: anAppState({ others: [{}] }) })
  const rename = async (from: string, to: string) => {
    await screen.getByRole('button', { name: `Edit ${from}` }).click()
    await dialog('Edit named address').getByRole('textbox', { name: 'Name' }).fill(to)
    await dialog('Edit named address').getByRole('button', { name: 'Save' }).click()
  }
  await goTo('Settings')
  await rename('Home', 'Flat')
  await rename('Flat', 'Studio')
  await expect.element(screen.getByText('The named address “Studio” was saved.')).toBeVisible()
  await expect.element(screen.getByText('The named address “Flat” was saved.')).not.toBeInTheDocument()
  bridge.setState({ connection: aConnection({ id: 'other-0' }) })
  await screen.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => saved()?.map((one) => one.name)).toEqual(['Flat', 'Office Berlin'])
  bridge.setState({ connection: aConnection() })
  await keys('{Control>}z{/Control}')
  await expect.poll(() => saved()).toEqual([home, office])
})

test('the form of a named address shows errors at its fields, saves nothing, and asks before the input is lost', async () => {
  const { keys, dialog, saved } = await opened()
  await keys('{Control>}k{/Control}')
  await keys('new named address{Enter}')
  const form = dialog('New named address')
  const save = form.getByRole('button', { name: 'Save' })
  await save.click()
  await expect.element(form.getByText('Enter a name.')).toBeVisible()
  await expect.element(form.getByText('Enter at least one address or range.')).toBeVisible()
  await expect.element(form.getByRole('textbox', { name: 'Name' })).toBeInvalid()
  await expectAccessible()
  await form.getByRole('textbox', { name: 'Name' }).fill('HOME')
  await form.getByRole('textbox', { name: 'Addresses and ranges' }).fill('10.0.0.1\nmy office')
  await expect.element(form.getByText('A named address with this name already exists.')).toBeVisible()
  await expect.element(form.getByText(/my office.* isn’t an IP address or a range\./)).toBeVisible()
  await save.click()
  expect(saved()).toBeUndefined()
  await keys('{Escape}')
  await expect.element(page.getByRole('alertdialog')).toBeVisible()
})

test('the form of a named address announces an error of the field that has the focus, and otherwise focuses the first field with an error', async () => {
  const { keys, dialog } = await opened()
  await keys('{Control>}k{/Control}')
  await keys('new named address{Enter}')
  const form = dialog('New named address')
  const name = form.getByRole('textbox', { name: 'Name' })
  await expect.element(name).toHaveFocus()
  await keys('{Enter}')
  await expect.element(form.getByRole('alert')).toHaveTextContent('Enter a name.')
  await expect.element(name).toHaveFocus()
  await name.fill('Office')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect.element(form.getByRole('textbox', { name: 'Addresses and ranges' })).toHaveFocus()
  await expect.element(form.getByRole('alert')).not.toBeInTheDocument()
})

test('stores a named address once, even if Save is pressed again while it is being stored', async () => {
  const { keys, dialog, bridge, saved } = await opened([])
  await keys('{Control>}k{/Control}')
  await keys('new named address{Enter}')
  const form = dialog('New named address')
  await form.getByRole('textbox', { name: 'Addresses and ranges' }).fill('203.0.113.9')
  await form.getByRole('textbox', { name: 'Name' }).fill('Office')
  const stored = Promise.withResolvers<undefined>()
  bridge.answer('setSettings', async (change) => {
    await stored.promise
    return ok((bridge.world.settings = { ...bridge.world.settings, ...change }))
  })
  await keys('{Enter}{Enter}')
  stored.resolve(undefined)
  await expect.element(form).not.toBeInTheDocument()
  expect(saved()).toEqual([{ name: 'Office', lines: ['203.0.113.9'] }])
})

test('keeps the form open if a named address can’t be saved, and the named address if it can’t be deleted', async () => {
  const { goTo, screen, dialog, bridge } = await opened()
  await goTo('Settings')
  await screen.getByRole('button', { name: 'Edit Home' }).click()
  const form = dialog('Edit named address')
  const lines = form.getByRole('textbox', { name: 'Addresses and ranges' })
  await lines.fill('203.0.113.9')
  bridge.answer('setSettings', () => fail('disk-full'))
  await form.getByRole('button', { name: 'Save' }).click()
  await expect.element(form.getByText('The disk is full, so nothing was saved.')).toBeVisible()
  await expect.element(lines).toHaveValue('203.0.113.9')
  await expect.element(page.getByText('The named address “Home” was saved.')).not.toBeInTheDocument()
  expect(bridge.requests('findAddresses')).toEqual([])
  await form.getByRole('button', { name: 'Cancel' }).click()
  await screen.getByRole('button', { name: 'Delete Home' }).click()
  await expect
    .element(screen.getByText('The disk is full, so nothing was saved. Free up some space, then try again.'))
    .toBeVisible()
  await expect.element(page.getByText('The named address “Home” was deleted.')).not.toBeInTheDocument()
})

test('offers to replace the addresses in all websites when a named address is edited', async () => {
  const { goTo, screen, dialog, saved, bridge } = await opened()
  await goTo('Settings')
  await screen.getByRole('button', { name: 'Edit Office Berlin' }).click()
  const form = dialog('Edit named address')
  await form.getByRole('textbox', { name: 'Addresses and ranges' }).fill('2001:db8::/32\n203.0.113.0/24')
  await expectAccessible()
  await form.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByText('The named address “Office Berlin” was saved.')).toBeVisible()
  expect(saved()).toEqual([home, { name: 'Office Berlin', lines: ['2001:db8::/32', '203.0.113.0/24'] }])
  const bulk = dialog('Edit 2 websites')
  await bulk.getByRole('button', { name: 'Change 2 websites' }).click()
  await expect
    .poll(() => bridge.requests('bulkUpdate'))
    .toMatchObject([
      {
        keys: [all[1]?.key, all[0]?.key], // sorted by domain
        change: { exclude_ips: { how: 'edit', add: ['203.0.113.0/24'], remove: ['192.0.2.7/32'] } },
      },
    ])
  await screen.getByRole('button', { name: 'Undo' }).last().click()
  await expect.poll(() => bridge.requests('undoBulk')).toEqual([{ bulkChange: 'batch' }])
})

test('Ctrl+Z undoes the change of the websites and a later save first, and then the change of the named address before them', async () => {
  const { goTo, screen, dialog, saved, bridge, keys, row, form } = await opened()
  await goTo('Settings')
  await screen.getByRole('button', { name: 'Edit Office Berlin' }).click()
  await dialog('Edit named address').getByRole('textbox', { name: 'Addresses and ranges' }).fill('203.0.113.9')
  await dialog('Edit named address').getByRole('button', { name: 'Save' }).click()
  await dialog('Edit 2 websites').getByRole('button', { name: 'Change 2 websites' }).click()
  await expect.element(page.getByText('2 websites will be changed.')).toBeVisible()
  await goTo('Websites')
  await row(third).click()
  await form().email.click()
  await form().button('Save').click()
  await expect.element(form().button('Undo')).toBeVisible()
  bridge.world.edits = [anEdit({ id: 'saved', changedAt: LATER })]
  await keys('{Control>}z{/Control}')
  await expect.poll(() => bridge.requests('undoEdit')).toEqual([{ id: 'saved' }])
  expect(bridge.requests('undoBulk')).toEqual([])
  await keys('{Control>}z{/Control}')
  await expect.poll(() => bridge.requests('undoBulk')).toEqual([{ bulkChange: 'batch' }])
  expect(saved()).toEqual([home, { name: 'Office Berlin', lines: ['203.0.113.9'] }])
  await keys('{Control>}z{/Control}')
  await expect.poll(saved).toEqual([home, office])
  await keys('{Control>}z{/Control}')
  await expect.element(screen.getByText('There’s nothing to undo.')).toBeVisible()
})

test('renames a named address without searching the websites for its lines, and can undo the deletion of a named address', async () => {
  const { goTo, screen, dialog, saved, bridge, keys } = await opened()
  await goTo('Settings')
  await screen.getByRole('button', { name: 'Edit Home' }).click()
  await dialog('Edit named address').getByRole('textbox', { name: 'Name' }).fill('Home office')
  await dialog('Edit named address').getByRole('button', { name: 'Save' }).click()
  await expect.element(screen.getByRole('button', { name: 'Edit Home office' })).toBeVisible()
  expect(bridge.requests('findAddresses')).toEqual([])
  await screen.getByRole('button', { name: 'Delete Office Berlin' }).click()
  await expect.poll(saved).toEqual([{ ...home, name: 'Home office' }])
  await screen.getByRole('button', { name: 'Undo' }).last().click()
  await expect.poll(saved).toEqual([{ ...home, name: 'Home office' }, office])
  await screen.getByRole('button', { name: 'Delete Office Berlin' }).click()
  await expect.poll(saved).toEqual([{ ...home, name: 'Home office' }])
  await keys('{Control>}z{/Control}')
  await expect.poll(saved).toEqual([{ ...home, name: 'Home office' }, office])
  // The toast of the previous rename has lost its Undo button.
  await expect.element(screen.getByRole('button', { name: 'Undo' })).toHaveLength(1)
})

test('does not restore a deleted named address if another one has its name by then', async () => {
  const { goTo, screen, dialog, saved } = await opened()
  await goTo('Settings')
  await screen.getByRole('button', { name: 'Delete Home' }).click()
  await screen.getByRole('button', { name: 'New named address…' }).click()
  await dialog('New named address').getByRole('textbox', { name: 'Name' }).fill('home')
  await dialog('New named address').getByRole('textbox', { name: 'Addresses and ranges' }).fill('203.0.113.9')
  await dialog('New named address').getByRole('button', { name: 'Save' }).click()
  await screen.getByRole('button', { name: 'Undo' }).first().click()
  await expect.element(page.getByText('A named address with this name already exists.')).toBeVisible()
  expect(saved()).toEqual([{ name: 'home', lines: ['203.0.113.9'] }, office])
})

test('closes the prefilled form for a new named address without a question if nothing was typed', async () => {
  const { row, menu, dialog, keys } = await opened([])
  await row(first).click()
  await menu('New named address…')
  const form = dialog('New named address')
  await expect.element(form.getByRole('textbox', { name: 'Addresses and ranges' })).not.toHaveValue('')
  await keys('{Escape}')
  await expect.element(form).not.toBeInTheDocument()
  await expect.element(page.getByRole('alertdialog')).not.toBeInTheDocument()
})

test('reports to main that the window must stay open while addresses to replace are typed, and asks before they are lost', async () => {
  const { keys, dialog, bridge } = await opened()
  await keys('{Control>}k{/Control}')
  await keys('replace an address{Enter}')
  const held = () => expect.poll(() => bridge.requests('keepFormDrafts').at(-1)?.held ?? false)
  await dialog('Replace an address everywhere')
    .getByRole('textbox', { name: 'Addresses to replace' })
    .fill('203.0.113.9')
  await held().toBe(true)
  await keys('{Escape}')
  await page.getByRole('button', { name: 'Leave without saving' }).click()
  await expect.element(dialog('Replace an address everywhere')).not.toBeInTheDocument()
  await held().toBe(false)
})

test('“Replace an address” in the palette opens the bulk editor with the lines of the chosen named addresses to remove and to add', async () => {
  const { keys, dialog, bridge } = await opened()
  await keys('{Control>}k{/Control}')
  await keys('replace an address{Enter}')
  const form = dialog('Replace an address everywhere')
  const preview = form.getByRole('button', { name: 'Preview' })
  await expectAccessible()
  await preview.click()
  await expect.element(form.getByText('Enter at least one address or range.')).toBeVisible()
  await form.getByRole('textbox', { name: 'Addresses to replace' }).fill('203.0.113.9')
  await preview.click()
  await expect.element(form.getByRole('status')).toHaveTextContent('No websites will change.')
  await form.getByRole('combobox', { name: 'Named address to replace' }).selectOptions('Office Berlin')
  await expect.element(form.getByText('No websites will change.')).not.toBeInTheDocument()
  await expect.element(form.getByRole('textbox', { name: 'Addresses to replace' })).toHaveValue(office.lines.join('\n'))
  await form.getByRole('combobox', { name: 'Named address to use instead' }).selectOptions('Home')
  bridge.answer('findAddresses', () => fail('storage'))
  await preview.click()
  await expect.element(form.getByRole('alert')).toBeVisible()
  bridge.answer('findAddresses', () => ({
    ok: true,
    value: {
      keys: [all[0]?.key ?? ''],
      lines: ['192.0.2.7/32', '2001:DB8::/32'],
      leftOut: 3,
      partial: 4,
      unknown: 2,
      others: [],
    },
  }))
  await preview.click()
  const bulk = dialog('Edit 1 website')
  const notice =
    /^Only the first 1 websites will be changed\. To change the others, replace again\. 4 websites have only some of these addresses and won’t change\. 2 websites weren’t searched/
  await expect.element(page.getByText(notice)).toBeVisible()
  // The bulk form shows both lists with chips, as the editor does.
  const chip = (name: string) => bulk.getByRole('button', { name, exact: true })
  const box = (name: string) => bulk.getByRole('textbox', { name: `Excluded IP addresses: ${name}` })
  await expect.element(chip('Office Berlin')).toHaveAttribute('aria-expanded', 'false')
  await expect.element(chip('Home')).toHaveAttribute('aria-expanded', 'false')
  await expect.element(box('lines to remove')).toHaveValue('')
  await expect.element(box('lines to add')).toHaveValue('')
  await expectAccessible()
  await chip('Office Berlin').click()
  await expect.element(box('lines to remove')).toHaveValue('192.0.2.7/32\n2001:DB8::/32')
  await bulk.getByRole('button', { name: 'Remove Home' }).click()
  await box('lines to add').fill('198.51.100.4\n203.0.113.9')
  await expect.element(chip('Home')).toHaveAttribute('aria-expanded', 'true')
  await chip('Home').click()
  await expect.element(box('lines to add')).toHaveValue('203.0.113.9')
  await bulk.getByRole('button', { name: 'Change 1 website' }).click()
  await expect
    .poll(() => bridge.requests('bulkUpdate').at(-1)?.change.exclude_ips)
    .toEqual({ how: 'edit', add: ['198.51.100.4', '203.0.113.9'], remove: ['192.0.2.7/32', '2001:DB8::/32'] })
})

test('the search for websites with an address can’t be canceled, so that no preview opens after a cancel', async () => {
  const { keys, dialog, bridge } = await opened()
  await keys('{Control>}k{/Control}')
  await keys('replace an address{Enter}')
  const form = dialog('Replace an address everywhere')
  await form.getByRole('textbox', { name: 'Addresses to replace' }).fill('203.0.113.9')
  bridge.answer('findAddresses', () => new Promise(() => undefined))
  await form.getByRole('button', { name: 'Preview' }).click()
  await expect.element(form.getByRole('button', { name: 'Cancel' })).toHaveAttribute('aria-disabled', 'true')
  await form.getByRole('button', { name: 'Cancel' }).click({ force: true })
  await keys('{Escape}')
  await expect.element(form).toBeVisible()
})

test('says how many websites could not be searched if none of the others has the addresses', async () => {
  const unseen: WebsiteView = { ...(all[5] ?? expect.fail('no website')) }
  delete unseen.exclude_ips
  const { keys, dialog, goTo, screen } = await opened(undefined, { websites: [...all.slice(0, 5), unseen] })
  const text = '1 website wasn’t searched because the service doesn’t show its excluded IP addresses.'
  await keys('{Control>}k{/Control}')
  await keys('replace an address{Enter}')
  const form = dialog('Replace an address everywhere')
  await form.getByRole('textbox', { name: 'Addresses to replace' }).fill('203.0.113.9')
  await form.getByRole('button', { name: 'Preview' }).click()
  await expect.element(form.getByRole('status')).toHaveTextContent(`No websites will change. ${text}`)
  await keys('{Escape}')
  await page.getByRole('button', { name: 'Leave without saving' }).click()
  await goTo('Settings')
  await screen.getByRole('button', { name: 'Edit Home' }).click()
  await dialog('Edit named address').getByRole('textbox', { name: 'Addresses and ranges' }).fill('203.0.113.9')
  await dialog('Edit named address').getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByText(text)).toBeVisible()
})

test('names the other accounts that have websites with the addresses to replace', async () => {
  const others = [{ name: 'Studio Nord' }, { name: 'Garden' }]
  const { keys, dialog, bridge } = await opened(undefined, { state: anAppState({ others }) })
  await keys('{Control>}k{/Control}')
  await keys('replace an address{Enter}')
  const form = dialog('Replace an address everywhere')
  await form.getByRole('textbox', { name: 'Addresses to replace' }).fill('203.0.113.9')
  const counts = [
    { account: 'other-0', count: 2 },
    { account: 'other-1', count: 1 },
  ]
  bridge.answer('findAddresses', () => ok({ keys: [], lines: [], leftOut: 0, partial: 0, unknown: 0, others: counts }))
  await form.getByRole('button', { name: 'Preview' }).click()
  const notice = 'Other accounts have websites with these addresses: Studio Nord (2) and Garden (1).'
  await expect.element(form.getByRole('status')).toMatchTextContent(notice)
})

test('names the presets that contain the addresses to replace, whether websites will change or not', async () => {
  const presetOf = (name: string, exclude_ips: Preset['change']['exclude_ips']): Preset => ({
    ...{ id: name, name },
    change: { exclude_ips },
  })
  const presets = [
    presetOf('Client default', { how: 'set', lines: ['203.0.113.9', '2001:DB8::/32', '192.0.2.7/32'] }),
    presetOf('Staging', { how: 'edit', add: office.lines, remove: [] }),
    presetOf('Not Berlin', { how: 'edit', add: ['192.0.2.7'], remove: office.lines }),
  ]
  const { keys, dialog, goTo, screen } = await opened(undefined, { presets })
  const text = (names: string) => `Presets aren’t changed. Presets that contain these addresses: ${names}.`
  await goTo('Settings')
  await screen.getByRole('button', { name: 'Edit Office Berlin' }).click()
  await dialog('Edit named address').getByRole('textbox', { name: 'Addresses and ranges' }).fill('203.0.113.0/24')
  await dialog('Edit named address').getByRole('button', { name: 'Save' }).click()
  await expect.element(dialog('Edit 2 websites')).toMatchTextContent(text('Client default and Staging'))
  await expectAccessible()
  await keys('{Escape}')
  await keys('{Control>}k{/Control}')
  await keys('replace an address{Enter}')
  const form = dialog('Replace an address everywhere')
  await form.getByRole('textbox', { name: 'Addresses to replace' }).fill('203.0.113.9')
  await form.getByRole('button', { name: 'Preview' }).click()
  await expect
    .element(form.getByRole('status'))
    .toMatchTextContent(`No websites will change. ${text('Client default')}`)
})

test('the previous addresses of an edited named address can still be replaced, also in another account', async () => {
  const { keys, dialog, goTo, screen, bridge } = await opened(undefined, { state: anAppState({ others: [{}] }) })
  const edit = async (name: string, lines: string) => {
    await screen.getByRole('button', { name: 'Edit Office Berlin' }).click()
    const form = dialog('Edit named address')
    await form.getByRole('textbox', { name: 'Name' }).fill(name)
    await form.getByRole('textbox', { name: 'Addresses and ranges' }).fill(lines)
    await form.getByRole('button', { name: 'Save' }).click()
  }
  await goTo('Settings')
  await edit('Office Berlin', '203.0.113.0/24')
  await expect.element(dialog('Edit 2 websites')).toBeVisible()
  await keys('{Escape}')
  // A named address that is only renamed keeps no previous addresses.
  await edit('Berlin', '203.0.113.0/24')
  bridge.setState({ connection: aConnection({ id: 'other-0' }) })
  await keys('{Control>}k{/Control}')
  await keys('replace an address{Enter}')
  const form = dialog('Replace an address everywhere')
  const former = form.getByRole('combobox', { name: 'Named address to replace' })
  const options = [...(await former.findElement()).querySelectorAll('option')].map((option) => option.textContent)
  expect(options).toEqual(['Choose a named address…', 'Berlin', 'Home', 'Office Berlin (previous addresses)'])
  await former.selectOptions('Office Berlin (previous addresses)')
  await expect.element(form.getByRole('textbox', { name: 'Addresses to replace' })).toHaveValue(office.lines.join('\n'))
  await expect.element(former).toHaveDisplayValue('Office Berlin (previous addresses)')
  await form.getByRole('combobox', { name: 'Named address to use instead' }).selectOptions('Berlin')
  await expectAccessible()
  await form.getByRole('button', { name: 'Preview' }).click()
  await expect.element(dialog('Edit 2 websites')).toBeVisible()
  expect(bridge.requests('findAddresses').at(-1)).toEqual({ lines: office.lines })
})

test('the editor has no controls for named addresses, tags, notes and presets while there are none, except to name a typed address', async () => {
  const { row, form } = await opened([])
  await row(third).click()
  const names = ['Named addresses', 'Named addresses in this list', 'Tags and note', 'Tags and note…', 'Preset']
  const shown = () =>
    names.filter((name) =>
      ['button', 'list', 'region', 'combobox'].some((role) =>
        form().form.getByRole(role, { name, exact: true }).query(),
      ),
    )
  await expect.element(form().ips).toHaveValue('')
  expect(shown()).toEqual([])
  // The user can give the typed lines a name.
  await form().ips.fill('203.0.113.9')
  await expect.poll(shown).toEqual(['Named addresses'])
})

test('does not offer to replace a named address in the websites if the account is read-only', async () => {
  const { goTo, screen, keys } = await opened([office], { state: anAppState({ readOnly: true }) } as never)
  await goTo('Settings')
  await expect.element(screen.getByRole('button', { name: 'Edit Office Berlin' })).toBeVisible()
  await expect
    .element(screen.getByRole('button', { name: 'Replace Office Berlin everywhere…' }))
    .not.toBeInTheDocument()
  await keys('{Control>}k{/Control}')
  await keys('replace an address')
  await expect.element(page.getByRole('option', { name: /Replace an address/ })).not.toBeInTheDocument()
})

test('named addresses with long names and many lines fit into a narrow window', async () => {
  await page.viewport(480, 700)
  const long = {
    name: 'An office with a very long name'.padEnd(60, 'x'),
    lines: Array.from({ length: 200 }, (_, n) => `10.0.${n}.0/24`),
  }
  const { goTo, screen } = await opened([long, office])
  await goTo('Settings')
  await expect.element(screen.getByText(/and 196 more/)).toBeVisible()
  await expectAccessible()
  expect(document.documentElement.scrollWidth).toBe(document.documentElement.clientWidth)
})

test('Ctrl+Z restores a deleted named address before it undoes an earlier save, also after the disk was full', async () => {
  const { goTo, screen, saved, bridge, keys } = await opened()
  bridge.world.edits = [anEdit({ id: 'before' })]
  await goTo('Settings')
  await screen.getByRole('button', { name: 'Delete Office Berlin' }).click()
  await expect.poll(saved).toEqual([home])
  bridge.answer('setSettings', () => fail('disk-full'))
  for (const count of [2, 3]) {
    await keys('{Control>}z{/Control}')
    await expect.poll(() => bridge.requests('setSettings')).toHaveLength(count)
    await expect.element(screen.getByText(/The disk is full/).first()).toBeVisible()
  }
  expect(bridge.requests('undoEdit')).toEqual([])
})

test('Ctrl+Z doesn’t replace a named address that was imported since', async () => {
  const { goTo, screen, saved, bridge, keys } = await opened()
  await goTo('Settings')
  await screen.getByRole('button', { name: 'Delete Home' }).click()
  await expect.poll(saved).toEqual([office])
  const changed = { section: 'settings', account: null, added: [], changed: ['namedAddresses'], unchanged: 0 } as const
  const effects = [{ ...changed, added: [], changed: ['namedAddresses'], limit: null }]
  bridge.answer('importSettings', () => ok({ effects, settings: {}, statistics: [], skipped: [] }))
  await screen.getByRole('button', { name: 'Import settings…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click()
  await expect.element(screen.getByText(/^Settings imported/)).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Undo' })).not.toBeInTheDocument()
  await keys('{Control>}z{/Control}')
  await expect.element(screen.getByText('There’s nothing to undo.')).toBeVisible()
  expect(saved()).toEqual([office])
})
