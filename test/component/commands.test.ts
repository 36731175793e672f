import { page } from 'vitest/browser'
import { tick } from 'svelte'
import { beforeEach, expect, test } from 'vitest'
import { openApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { aConnection, anAppState, websites } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 740))

const all = websites(60)
const others = [{ address: 'https://stats.studio.example', name: 'Studio Nord' }]
const presets = [{ id: 'standard', name: 'Client default', change: { privacy: 1 as const } }]

async function opened(world: Parameters<typeof openApp>[0] = {}) {
  const app = await openApp({ websites: all, presets, state: anAppState({ others, websites: 60 }), ...world })
  await expect.element(app.screen.getByRole('grid', { name: 'Websites' })).toBeVisible()
  const option = (name: string) =>
    page.getByRole('listbox', { name: 'Commands and websites' }).getByRole('option', { name, exact: true })
  const search = page.getByRole('combobox', { name: 'Search commands and websites' })
  const find = async (text: string) => {
    await app.keys('{Control>}k{/Control}')
    await search.fill(text)
  }
  /** Runs a command of the palette by keyboard. Expects that an element has the focus afterwards. */
  const runCommand = async (name: string) => {
    await find(name)
    await expect.element(option(name)).toHaveAttribute('aria-selected', 'true')
    await app.keys('{Enter}')
    await expect.element(search).not.toBeInTheDocument()
    await expect.poll(() => document.activeElement).not.toBe(document.body)
  }
  const first = () => document.querySelector('[data-row="0"]')?.textContent.trim()
  const rowFocused = () => expect.poll(() => document.activeElement?.getAttribute('data-row')).not.toBe(null)
  return { ...app, option, find, runCommand, first, rowFocused }
}

test('the palette selects all matches and clears the selection, and the list then has the focus', async () => {
  const { screen, runCommand, find, option, rowFocused } = await opened()
  await runCommand('Select all websites in the list')
  await expect.element(screen.getByText('60 selected')).toBeVisible()
  await rowFocused()
  await find('select')
  await expect.element(option('Select all websites in the list')).not.toBeInTheDocument()
  await runCommand('Clear selection')
  await expect.element(screen.getByText('60 selected')).not.toBeInTheDocument()
  await rowFocused()
})

test('the palette sorts in another order, does not offer the current one, and stores the order', async () => {
  const { runCommand, find, option, first, bridge } = await opened()
  await find('sort')
  await expect.element(option('Sort: Newest first')).not.toBeInTheDocument()
  await runCommand('Sort: Domain, Z to A')
  const last = all
    .map(({ domain }) => domain)
    .toSorted()
    .at(-1)
  await expect.poll(first).toBe(last)
  await runCommand('Sort: Oldest first')
  expect(bridge.requests('setSettings')).toEqual([
    { listOrder: { by: 'domain', sort: 'desc' } },
    { listOrder: { by: 'id', sort: 'asc' } },
  ])
})

test('the palette turns pages, and changes the page size', async () => {
  const { screen, runCommand, find, option } = await opened()
  await find('page')
  await expect.element(option('All on one page')).not.toBeInTheDocument()
  await expect.element(option('Next page')).not.toBeInTheDocument()
  await runCommand('25 per page')
  await expect.element(screen.getByText('1–25 of 60')).toBeVisible()
  await runCommand('Next page')
  await expect.element(screen.getByText('26–50 of 60')).toBeVisible()
  await runCommand('Next page')
  await find('page')
  await expect.element(option('Previous page')).toBeInTheDocument()
  await expect.element(option('Next page')).not.toBeInTheDocument()
  await runCommand('Previous page')
  await expect.element(screen.getByText('26–50 of 60')).toBeVisible()
})

test('the palette shows and hides a column, and restores the default columns', async () => {
  const { screen, runCommand } = await opened()
  const head = (name: string) => screen.getByRole('columnheader', { name })
  await runCommand('Hide column: Privacy')
  await expect.element(head('Privacy')).not.toBeInTheDocument()
  await runCommand('Show column: Privacy')
  await expect.element(head('Privacy')).toBeVisible()
  await runCommand('Hide column: Created')
  await runCommand('Reset columns')
  await expect.element(head('Created')).toBeVisible()
})

test('the palette saves, moves along the list and closes the editor', async () => {
  const { form, row, runCommand, find, option, bridge, keys } = await opened()
  await find('website')
  await expect.element(option('Next website')).not.toBeInTheDocument()
  await keys('{Escape}')
  await row(all[3]?.domain ?? '').click()
  await find('save')
  await expect.element(option('Save')).not.toBeInTheDocument()
  await runCommand('Next website')
  await expect.element(form().form.getByRole('heading', { name: all[4]?.domain ?? '' })).toHaveFocus()
  await runCommand('Previous website')
  await expect.element(form().form.getByRole('heading', { name: all[3]?.domain ?? '' })).toHaveFocus()
  await form().ips.fill('203.0.113.9')
  await runCommand('Save')
  await expect.poll(() => bridge.requests('updateWebsite')).toHaveLength(1)
  await expect.element(form().ips).toHaveFocus()
  await runCommand('Close the editor')
  await expect.element(form().form).not.toBeInTheDocument()
  await expect.element(row(all[3]?.domain ?? '')).toHaveFocus()
})

test('saving from the palette shows an error at its field, as Save does', async () => {
  const { form, runCommand, screen, goTo } = await opened()
  await screen.getByRole('button', { name: 'Add website' }).click()
  await goTo('Pending')
  await runCommand('Save')
  await expect.element(form().domain).toHaveFocus()
  await expect.element(form().domain).toHaveAttribute('aria-invalid', 'true')
})

test('the palette opens the form for another key, except for the sample service', async () => {
  const { screen, runCommand, bridge, find, option } = await opened()
  await runCommand('Replace API key…')
  await expect.element(screen.getByRole('form', { name: 'Replace API key' }).getByLabelText('API key')).toHaveFocus()
  bridge.setState({ connection: aConnection({ sample: true }) })
  await find('key')
  await expect.element(option('Replace API key…')).not.toBeInTheDocument()
})

test('the palette offers “Enter API key” instead of “Replace API key” while the key is missing', async () => {
  const { screen, runCommand, bridge, find, option } = await opened()
  bridge.setState({ connection: aConnection({ key: 'missing' }) })
  await find('key')
  await expect.element(option('Enter API key…')).toBeVisible()
  await expect.element(option('Replace API key…')).not.toBeInTheDocument()
  await runCommand('Enter API key…')
  await expect.element(screen.getByRole('form').getByLabelText('API key')).toHaveFocus()
})

test('the palette opens the form to rename a connection and, from any screen, the question before a connection is removed', async () => {
  const { screen, runCommand, keys } = await opened()
  await runCommand('Rename Studio Nord…')
  await expect.element(screen.getByRole('form').getByRole('textbox', { name: 'Name' })).toHaveFocus()
  await expectAccessible()
  await keys('{Escape}')
  await expect.element(screen.getByRole('button', { name: 'Rename Studio Nord…' })).toHaveFocus()
  await keys('{Control>}1{/Control}')
  await runCommand('Remove Northwind Agency…')
  await expect.element(page.getByRole('alertdialog', { name: 'Remove Northwind Agency?' })).toBeVisible()
  await keys('{Escape}')
  await expect.element(page.getByRole('alertdialog')).not.toBeInTheDocument()
  await expect.poll(() => document.activeElement).not.toBe(document.body)
})

test('the palette edits and deletes a preset', async () => {
  const { runCommand, keys, bridge } = await opened()
  await runCommand('Edit preset “Client default”…')
  const dialog = page.getByRole('dialog', { name: 'Edit preset' })
  await expect.element(dialog.getByRole('textbox', { name: 'Name' })).toHaveFocus()
  await keys('{Escape}')
  await runCommand('Delete preset “Client default”…')
  await expect.element(page.getByRole('alertdialog', { name: 'Delete the preset “Client default”?' })).toBeVisible()
  await keys('{Tab}{Enter}')
  await expect.poll(() => bridge.requests('removePreset')).toEqual([{ id: 'standard' }])
  await expect.poll(() => document.activeElement).not.toBe(document.body)
})

test('the palette checks the set-up and copies the diagnostics, on the screen with their buttons', async () => {
  const { screen, runCommand, bridge } = await opened()
  await runCommand('Check setup')
  await expect.element(screen.getByRole('list', { name: 'Setup' })).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Check setup' })).toHaveFocus()
  await screen.getByRole('switch', { name: 'Include the service’s address' }).click()
  await runCommand('Copy diagnostics')
  await expect.poll(() => bridge.requests('copyDiagnostics')).toEqual([{ address: true }])
})

test('the palette turns a setting on and off', async () => {
  const { runCommand, bridge } = await opened()
  const { notifySent } = bridge.world.settings
  await runCommand(`Turn ${notifySent ? 'off' : 'on'}: Notify when changes have been sent`)
  expect(bridge.requests('setSettings')).toEqual([{ notifySent: !notifySent }])
  await runCommand(`Turn ${notifySent ? 'on' : 'off'}: Notify when changes have been sent`)
})

test('the palette ranks actions of the open editor before other matching actions', async () => {
  const { form, row, find, option } = await opened()
  await row(all[3]?.domain ?? '').click()
  await form().email.click()
  await find('save')
  await expect.element(option('Save')).toHaveAttribute('aria-selected', 'true')
})

test('the palette offers to filter by a preset of read-only data, but not to edit the preset', async () => {
  const { find, option } = await opened({ state: anAppState({ readOnly: true, websites: 60 }) })
  await find('preset')
  await expect.element(option('Show websites that differ from “Client default”')).toBeVisible()
  await expect.element(option('Edit preset “Client default”…')).not.toBeInTheDocument()
})

test('Escape during the composition of an input method closes neither the editor, nor the filters, nor the form to rename an account', async () => {
  const { screen, form, row, goTo } = await opened()
  const composing = (key: string, at: Element) =>
    at.dispatchEvent(new KeyboardEvent('keydown', { key, isComposing: true, bubbles: true, cancelable: true }))
  await row(all[3]?.domain ?? '').click()
  composing('Escape', form().ips.element())
  await tick()
  await expect.element(form().form).toBeVisible()

  await screen.getByRole('button', { name: 'Filter', exact: true }).click()
  const panel = screen.getByRole('dialog', { name: 'Filter' })
  await expect.element(panel).toBeVisible()
  composing('Escape', panel.getByRole('textbox', { name: 'Excludes IP address' }).element())
  await tick()
  await expect.element(panel).toBeVisible()

  await goTo('Settings')
  await screen.getByRole('button', { name: 'Rename Studio Nord…' }).click()
  const name = screen.getByRole('form').getByRole('textbox', { name: 'Name' })
  composing('Escape', name.element())
  await tick()
  await expect.element(name).toBeVisible()
})
