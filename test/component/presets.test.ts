import { page } from 'vitest/browser'
import { beforeEach, expect, test } from 'vitest'
import type { Preset } from '../../src/shared/preset.ts'
import { fail, ok } from '../../src/shared/result.ts'
import { openApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { MemoryBridge } from './support/bridge.ts'
import { anEdit, websites } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 900))

const all = websites(30).map((website, n) => ({ ...website, privacy: n < 12 ? (0 as const) : (1 as const) }))
const preset = (name: string, change: Preset['change']): Preset => ({ id: name, name, change })
const standard = preset('Client default', { privacy: 1 })

async function opened(presets: Preset[] = [standard], more: typeof all = all) {
  const app = await openApp({ websites: more, presets })
  await app.keys('{Control>}3{/Control}')
  const card = (name: string) => page.getByRole('article', { name })
  const dialog = page.getByRole('dialog')
  const name = dialog.getByRole('textbox', { name: 'Name' })
  const choose = (field: string, value: string) =>
    dialog.getByRole('radiogroup', { name: field }).getByRole('radio', { name: value, exact: true }).click()
  const button = (label: string) => app.screen.getByRole('button', { name: label, exact: true })
  return { ...app, card, dialog, name, choose, button }
}

test('shows presets in the sidebar once there is one', async () => {
  const { screen, goTo, keys, button, dialog, name } = await opened([])
  await goTo('Websites')
  const nav = screen.getByRole('navigation', { name: 'Screens' })
  await expect.element(nav.getByRole('button', { name: 'Presets' })).not.toBeInTheDocument()
  await keys('{Control>}3{/Control}')
  await button('New preset…').click()
  await name.fill('Ours')
  await dialog.getByRole('radiogroup', { name: 'Email reports' }).getByRole('radio', { name: 'On' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await goTo('Websites')
  await expect.element(nav.getByRole('button', { name: 'Presets' })).toBeVisible()
})

test('Ctrl+Z restores a deleted preset before it undoes an earlier save, also after the disk was full', async () => {
  const { keys, card, button, bridge } = await opened()
  bridge.world.edits = [anEdit({ id: 'before' })]
  await card('Client default')
    .getByRole('button', { name: /Delete/ })
    .click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect.element(button('Undo')).toBeVisible()
  bridge.answer('savePreset', () => fail('disk-full'))
  for (const count of [1, 2]) {
    await keys('{Control>}z{/Control}')
    await expect.poll(() => bridge.requests('savePreset')).toHaveLength(count)
    await expect.element(page.getByText(/The disk is full/)).toBeVisible()
    await expect.element(button('Undo')).toBeVisible()
  }
  expect(bridge.requests('undoEdit')).toEqual([])
})

test('creates a preset by keyboard, and at once shows how many websites differ from it', async () => {
  const { keys, card, dialog, name, choose, button, bridge } = await opened([])
  await expect.element(page.getByRole('heading', { name: 'No presets yet' })).toBeVisible()
  await expectAccessible()
  ;(button('New preset…').element() as HTMLElement).focus()
  await keys('{Enter}')
  await expect.element(name).toHaveFocus()
  await name.fill('Client default')
  await choose('Privacy', 'Private')
  await choose('Excluded IP addresses', 'Add or remove')
  await dialog.getByRole('textbox', { name: 'Excluded IP addresses: lines to add' }).fill(' 10.0.0.1 \n10.0.0.2')
  await expectAccessible()
  ;(name.element() as HTMLElement).focus()
  await keys('{Enter}')
  await expect.element(dialog).not.toBeInTheDocument()
  const change = { privacy: 1, exclude_ips: { how: 'edit', add: ['10.0.0.1', '10.0.0.2'], remove: [] } }
  expect(bridge.requests('savePreset')).toEqual([
    { id: null, name: 'Client default', change, forNew: false, watched: false },
  ])
  await expect.element(card('Client default').getByText('Add 10.0.0.1, 10.0.0.2')).toBeVisible()
  await expect.element(card('Client default').getByText('30 of 30 websites differ.')).toBeVisible()
})

test('the form of a preset shows errors at its fields, and keeps the input', async () => {
  const { dialog, name, button, choose, bridge } = await opened()
  await button('New preset…').click()
  await name.fill('client DEFAULT')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.element(dialog.getByText('A preset with this name already exists.')).toBeVisible()
  await expect.element(dialog.getByText('Choose at least one setting.')).toBeVisible()
  await expect.element(name).toHaveAttribute('aria-invalid', 'true')
  await expectAccessible()
  await name.fill('Another')
  await choose('Email reports', 'Off')
  bridge.answer('savePreset', () => fail('disk-full'))
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.element(dialog.getByRole('alert')).toBeVisible()
  await expect.element(name).toHaveValue('Another')
})

test('renames, changes and, after a question, deletes a preset without changing a website', async () => {
  const { card, dialog, name, choose, button, bridge } = await opened()
  await button('Edit preset “Client default”…').click()
  await expect.element(dialog).toHaveAccessibleName('Edit preset')
  await expect.element(name).toHaveValue('Client default')
  await name.fill('House style')
  await choose('Privacy', 'Don’t change')
  await choose('Exclude bots', 'On')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.element(card('House style').getByText('Exclude bots')).toBeVisible()
  expect(bridge.requests('savePreset')).toEqual([
    { id: 'Client default', name: 'House style', change: { exclude_bots: true }, forNew: false, watched: false },
  ])
  await button('Delete preset “House style”…').click()
  const question = page.getByRole('alertdialog', { name: 'Delete the preset “House style”?' })
  await expectAccessible()
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect.element(page.getByText('The preset “House style” was deleted.')).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'No presets yet' })).toBeVisible()
  expect(bridge.requests('bulkUpdate')).toEqual([])
})

test('Undo and Ctrl+Z restore a deleted preset, which is used for new websites again unless another preset has been chosen for them since', async () => {
  const { card, dialog, button, keys, bridge } = await opened([standard, { ...forNew, watched: true }])
  const remove = async () => {
    await button('Delete preset “For new ones”…').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expect.element(card('For new ones')).not.toBeInTheDocument()
  }
  await remove()
  await keys('{Control>}z{/Control}')
  await expect.element(page.getByText('The preset “For new ones” was restored.')).toBeVisible()
  await expect.element(card('For new ones').getByText('For new websites')).toBeVisible()
  const { name, change } = forNew
  expect(bridge.requests('savePreset')).toEqual([{ id: null, name, change, forNew: true, watched: true }])
  await button('Edit preset “For new ones”…').click()
  await dialog.getByRole('switch', { name: /^Notify/ }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.element(card('For new ones').getByText('Notifications on')).not.toBeInTheDocument()
  await remove()
  await keys('{Control>}z{/Control}')
  await expect.element(card('For new ones')).toBeVisible()
  await keys('{Control>}z{/Control}')
  await expect.element(card('For new ones').getByText('Notifications on')).toBeVisible()

  await remove()
  await button('Edit preset “Client default”…').click()
  await dialog.getByRole('switch', { name: 'Use for new websites' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.element(card('Client default').getByText('For new websites')).toBeVisible()
  await button('Undo').first().click()
  await expect.element(card('For new ones').getByText('Notifications on')).toBeVisible()
  await expect.element(card('For new ones').getByText('For new websites')).not.toBeInTheDocument()
  await expect.element(card('Client default').getByText('For new websites')).toBeVisible()
})

test('Ctrl+Z takes back a new preset and an edited one, also which preset is used for new websites, and changes no website', async () => {
  const { card, dialog, name, choose, keys, button, bridge } = await opened([standard, { ...forNew, watched: true }])
  const before = bridge.world.presets
  const save = () => dialog.getByRole('button', { name: 'Save' }).click()
  await button('Edit preset “Client default”…').click()
  await name.fill('House style')
  await choose('Privacy', 'Public')
  await save()
  await expect.element(page.getByText('The preset “House style” was saved.')).toBeVisible()
  await button('Edit preset “House style”…').click()
  await name.fill('Office style')
  await save()
  await expect.element(card('Office style').getByRole('heading')).toBeVisible()
  // Finds only one Undo, because the toast of the previous rename is gone.
  await button('Undo').click()
  await button('New preset…').click()
  await name.fill('Another')
  await choose('Privacy', 'Public')
  await dialog.getByRole('switch', { name: 'Use for new websites' }).click()
  await save()
  await expect.element(card('Another').getByText('For new websites')).toBeVisible()
  await keys('{Control>}z{/Control}')
  await expect.element(page.getByText('The preset “Another” was deleted.')).toBeVisible()
  await expect.element(card('For new ones').getByText('For new websites')).toBeVisible()
  await keys('{Control>}z{/Control}')
  await expect.element(page.getByText('The preset “Client default” was restored.')).toBeVisible()
  const sorted = (presets: Preset[]) => presets.toSorted((a, b) => a.id.localeCompare(b.id))
  expect(sorted(bridge.world.presets)).toEqual(sorted(before))
  expect([...bridge.requests('undoBulk'), ...bridge.requests('undoEdit')]).toEqual([])
})

test('the toast about the preset for new websites disappears when another preset takes its place', async () => {
  const { card, dialog, name, button } = await opened([standard, forNew])
  const save = () => dialog.getByRole('button', { name: 'Save' }).click()
  await button('Edit preset “For new ones”…').click()
  await name.fill('Renamed')
  await save()
  await expect.element(page.getByText('The preset “Renamed” was saved.')).toBeVisible()
  await button('Edit preset “Client default”…').click()
  await dialog.getByRole('switch', { name: 'Use for new websites' }).click()
  await save()
  await expect.element(page.getByText('The preset “Client default” was saved.')).toBeVisible()
  expect(page.getByText('The preset “Renamed” was saved.').elements()).toEqual([])
  await button('Undo').click()
  await expect.element(card('Renamed').getByText('For new websites')).toBeVisible()
})

test('says why a deleted preset is not restored if another one has its name by then', async () => {
  const { dialog, name, choose, button } = await opened()
  await button('Delete preset “Client default”…').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await button('New preset…').click()
  await name.fill('client default')
  await choose('Privacy', 'Public')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await button('Undo').first().click()
  await expect.element(page.getByText(/A preset with this name already exists\./)).toBeVisible()
})

test('the search and the saved views keep filtering by a preset that is renamed', async () => {
  const { card, dialog, name, button, screen, goTo, bridge } = await opened()
  const search = 'differs:"Client default"'
  bridge.world.views = [{ id: 'v1', name: 'To fix', search, sortBy: 'id', sort: 'desc', columns: [] }]
  await button('Show in list: websites that differ from Client default').click()
  await expect.element(screen.getByText('12 of 30 websites')).toBeVisible()
  await goTo('Presets')
  await button('Edit preset “Client default”…').click()
  await name.fill('House style')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.element(card('House style')).toBeVisible()
  await goTo('Websites')
  await expect
    .element(screen.getByRole('list', { name: 'Active filters' }))
    .toHaveTextContent('Differs from House style')
  await expect.element(screen.getByText('12 of 30 websites')).toBeVisible()
  expect(bridge.world.views).toMatchObject([{ search: 'differs:"House style"' }])
  await screen.getByRole('button', { name: 'To fix' }).click()
  await expect.element(screen.getByText('12 of 30 websites')).toBeVisible()
})

test('counts the websites that differ, shows each difference, and filters the list by them', async () => {
  const { card, button, screen, row } = await opened()
  await expect.element(card('Client default').getByText('12 of 30 websites differ.')).toBeVisible()
  // No card is a live region, because a screen reader would announce its count without the name of the preset.
  expect(page.getByRole('main').getByRole('status').elements()).toEqual([])
  await card('Client default').getByText('Differences').click()
  const differences = card('Client default').getByRole('list', { name: 'Differences from Client default' })
  await expect.element(differences.getByRole('listitem').first()).toMatchTextContent(/Privacy: Public → Private/)
  expect(differences.getByRole('listitem').elements()).toHaveLength(12)
  await expectAccessible()
  await button('Show in list: websites that differ from Client default').click()
  await expect.element(button('Remove filter: Differs from Client default')).toBeVisible()
  await expect.element(screen.getByText('12 of 30 websites')).toBeVisible()
  await expect.element(row(all[29]?.domain ?? '')).not.toBeInTheDocument()
})

test('shows the last page of the differences when the shown one no longer exists', async () => {
  const more = websites(120).map((website) => ({ ...website, privacy: 0 as const }))
  const { card, bridge } = await opened([standard], more)
  await card('Client default').getByText('Differences').click()
  for (const page of ['2 of 3', '3 of 3']) {
    await card('Client default').getByRole('button', { name: 'Next page' }).click()
    await expect.element(card('Client default').getByText(page)).toBeVisible()
  }
  bridge.world.websites = more.slice(0, 60)
  bridge.emit('websitesChanged', { keys: null })
  await expect.element(card('Client default').getByText('2 of 2')).toBeVisible()
})

test('applies a preset to the websites that differ as a bulk change, and undoes it as one', async () => {
  const { dialog, button, bridge, screen } = await opened()
  await button('Apply preset “Client default” to the websites that differ…').click()
  await expect.element(dialog).toHaveAccessibleName('Edit 12 websites')
  await expect.element(dialog.getByRole('combobox', { name: 'Use a preset' })).toHaveValue('Client default')
  await dialog.getByRole('button', { name: 'Change 12 websites' }).click()
  await expect
    .poll(() => bridge.requests('bulkUpdate'))
    .toMatchObject([{ keys: { length: 12 }, change: { privacy: 1 } }])
  await screen.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => bridge.requests('undoBulk')).toEqual([{ bulkChange: 'batch' }])
})

test('fills in the bulk form from a preset, which is no longer selected once the user changes a value', async () => {
  const { goTo, row, keys, dialog, choose } = await opened([standard, preset('Bots out', { exclude_bots: true })])
  await goTo('Websites')
  ;(row(all[0]?.domain ?? '').element() as HTMLElement).focus()
  await keys('{Shift>}{ArrowDown}{/Shift}{Control>}e{/Control}')
  const select = dialog.getByRole('combobox', { name: 'Use a preset' })
  await select.selectOptions('Bots out')
  await expect
    .element(dialog.getByRole('radiogroup', { name: 'Exclude bots' }).getByRole('radio', { name: 'On' }))
    .toBeChecked()
  await choose('Email reports', 'On')
  await expect.element(select).toHaveValue('')
  await expectAccessible()
})

test('saves an open website as a preset, with all settings that the service shows', async () => {
  const { goTo, row, form, dialog, name, bridge } = await opened([])
  await goTo('Websites')
  await row(all[3]?.domain ?? '').click()
  await form().choose('Save as preset…')
  await expect.element(name).toHaveFocus()
  await name.fill('As that one')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByText('The preset “As that one” was saved.')).toBeVisible()
  const { privacy, email, exclude_bots, exclude_ips = [], exclude_params } = all[3] ?? {}
  expect(bridge.requests('savePreset')).toEqual([
    {
      id: null,
      name: 'As that one',
      change: {
        privacy,
        email,
        exclude_bots,
        exclude_ips: { how: 'set', lines: exclude_ips },
        ...(exclude_params && { exclude_params: { how: 'set', lines: exclude_params } }),
      },
      forNew: false,
      watched: false,
    },
  ])
})

const forNew = {
  ...preset('For new ones', {
    privacy: 0,
    email: true,
    exclude_ips: { how: 'edit', add: ['10.0.0.1'], remove: ['10.0.0.2'] },
  }),
  forNew: true,
}

test('makes a preset the one for new websites, by keyboard, and says so on its card', async () => {
  const { card, dialog, button, keys, bridge } = await opened([standard, forNew])
  await expect.element(card('For new ones').getByText('For new websites')).toBeVisible()
  await button('Edit preset “Client default”…').click()
  const toggle = dialog.getByRole('switch', { name: 'Use for new websites' })
  await expect.element(toggle).not.toBeChecked()
  ;(toggle.element() as HTMLElement).focus()
  await keys(' ')
  await expect.element(toggle).toBeChecked()
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.element(card('Client default').getByText('For new websites')).toBeVisible()
  await expect.element(card('For new ones').getByText('For new websites')).not.toBeInTheDocument()
  expect(bridge.requests('savePreset')).toMatchObject([{ id: 'Client default', forNew: true }])
})

test('watches a preset, by keyboard, and says so on its card', async () => {
  const { card, dialog, button, keys, bridge } = await opened()
  await button('Edit preset “Client default”…').click()
  const toggle = dialog.getByRole('switch', { name: 'Notify when more websites differ' })
  await expect.element(toggle).not.toBeChecked()
  ;(toggle.element() as HTMLElement).focus()
  await keys(' ')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.element(card('Client default').getByText('Notifications on')).toBeVisible()
  expect(bridge.requests('savePreset')).toMatchObject([{ id: 'Client default', forNew: false, watched: true }])
  await expectAccessible()
})

test('starts the form for a new website with the preset, which can be changed there', async () => {
  const { goTo, button, form, bridge, keys } = await opened([standard, forNew])
  await goTo('Websites')
  await button('Add website').click()
  const start = form().form.getByRole('combobox', { name: 'Preset', exact: true })
  await expect.element(start).toHaveValue('For new ones')
  await expect.element(form().privacy('Public')).toBeChecked()
  await expect.element(form().ips).toHaveValue('10.0.0.1')
  await expectAccessible()
  // Without typed text, the form closes without a question.
  await keys('{Escape}')
  await expect.element(form().form).not.toBeInTheDocument()

  await button('Add website').click()
  await form().privacy('Private').click()
  await form().ips.fill('192.0.2.1')
  await start.selectOptions('Default settings')
  await expect.element(form().ips).toHaveValue('192.0.2.1')
  await expect.element(form().email).not.toBeChecked()
  await start.selectOptions('For new ones')
  await expect.element(form().privacy('Public')).toBeChecked()
  await expect.element(form().ips).toHaveValue('10.0.0.1')
  await form().bots.click()
  await form().domain.fill('new.example')
  await form().button('Save').click()
  await expect.element(start).not.toBeInTheDocument()
  expect(bridge.requests('createWebsite')).toMatchObject([
    { domain: 'new.example', privacy: 0, email: true, exclude_bots: false, exclude_ips: ['10.0.0.1'] },
  ])
})

test('a draft of a new website contains the values of its preset, so a later change of the preset does not alter them', async () => {
  const { goTo, button, form, bridge } = await opened([forNew])
  await goTo('Websites')
  await button('Add website').click()
  await form().domain.fill('new.example')
  await expect
    .poll(() => bridge.requests('keepFormDrafts').at(-1)?.form?.typed)
    .toEqual({ domain: 'new.example', privacy: 0, email: true, exclude_ips: '10.0.0.1' })
})

/** Opens the app with the restored draft of a new website, begun with the preset `forNew`. */
const restored = async (presets: Preset[]) => {
  const chosen = { all: false, keys: [] }
  const place = { sortBy: 'id', sort: 'desc', perPage: 'all', page: 1, active: 0, top: 0, chosen } as const
  const typed = { domain: 'new.example', privacy: 0 as const, email: true, exclude_ips: '10.0.0.1' }
  const bridge = new MemoryBridge({ websites: all, presets })
  const draft = { website: null, typed, seen: {}, cleared: [], preset: forNew.id }
  bridge.world.formDrafts = { account: 'northwind', form: draft, list: { ...place, search: '' }, held: false }
  const app = await openApp(bridge)
  return { ...app, start: app.form().form.getByRole('combobox', { name: 'Preset', exact: true }) }
}

test('restores the form for a new website with its preset, and another preset can be chosen', async () => {
  const { form, start, bridge } = await restored([standard, forNew])
  await expect.element(start).toHaveValue('For new ones')
  await expect.element(form().domain).toHaveValue('new.example')
  await expect.element(form().ips).toHaveValue('10.0.0.1')
  await expect.poll(() => bridge.requests('keepFormDrafts').at(-1)?.form?.preset).toBe(forNew.id)
  await start.selectOptions('Client default')
  await expect.element(form().privacy('Private')).toBeChecked()
  await expect.element(form().ips).toHaveValue('')
  await expect.element(form().domain).toHaveValue('new.example')
})

test.each([
  ['no longer exists', [standard]],
  ['has another setting now', [standard, { ...forNew, change: { ...forNew.change, exclude_bots: false } }]],
])(
  'a restored form whose preset %s keeps its values, and names neither the preset nor the defaults as their source',
  async (_, presets) => {
    const { form, start } = await restored(presets)
    await expect.element(start).toHaveDisplayValue('Choose a preset…')
    await expect.element(form().ips).toHaveValue('10.0.0.1')
    await expect.element(form().bots).toBeChecked()
  },
)

test('the form of a duplicate names neither a preset nor the defaults as the source of its settings', async () => {
  const { goTo, row, form } = await opened()
  await goTo('Websites')
  await row(all[0]?.domain ?? '').click()
  await form().choose('Duplicate')
  await expect
    .element(form().form.getByRole('combobox', { name: 'Preset', exact: true }))
    .toHaveDisplayValue('Choose a preset…')
})

test('“Add multiple” starts with the preset for new websites, and the cells of a table replace the values of the preset', async () => {
  const { keys, dialog, bridge } = await opened([standard, forNew])
  await keys('{Control>}{Shift>}n{/Shift}{/Control}')
  const start = dialog.getByRole('combobox', { name: 'Preset', exact: true })
  await expect.element(start).toHaveValue('For new ones')
  await dialog.getByRole('textbox', { name: 'Domains' }).fill('domain,privacy\na.example,private\nb.example,')
  await expect.element(dialog.getByText(/Public.*Email reports: On.*Excluded IP addresses: 1/)).toBeVisible()
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Add 2 websites' }).click()
  const shared = { email: true, exclude_bots: true, exclude_ips: ['10.0.0.1'] }
  expect(bridge.requests('bulkCreate')).toMatchObject([
    {
      drafts: [
        { domain: 'a.example', privacy: 1, ...shared },
        { domain: 'b.example', privacy: 0, ...shared },
      ],
    },
  ])
})

test('offers no preset for a new website if there is none', async () => {
  const { goTo, button, form, keys, dialog } = await opened([])
  await goTo('Websites')
  await button('Add website').click()
  await expect.element(form().domain).toBeVisible()
  await expect.element(page.getByRole('combobox', { name: 'Preset', exact: true })).not.toBeInTheDocument()
  await keys('{Escape}{Control>}{Shift>}n{/Shift}{/Control}')
  await expect.element(dialog.getByRole('textbox', { name: 'Domains' })).toBeVisible()
  await expect.element(page.getByRole('combobox', { name: 'Preset', exact: true })).not.toBeInTheDocument()
})

test('the panel of the Filter button filters by the websites that differ from a preset', async () => {
  const { goTo, screen, button } = await opened()
  await goTo('Websites')
  await button('Filter').click()
  const differs = page.getByRole('dialog').getByRole('combobox', { name: 'Differs from preset' })
  await differs.selectOptions('Client default')
  await expect.element(screen.getByText('12 of 30 websites')).toBeVisible()
  await expect.element(button('Remove filter: Differs from Client default')).toBeVisible()
  await expectAccessible()
  await differs.selectOptions('All websites')
  await expect.element(screen.getByText('30 websites', { exact: true })).toBeVisible()
})

test('offers commands for presets in the palette, and completes preset names in the search of the list', async () => {
  const { bridge, goTo, keys, row, screen, button, dialog } = await opened()
  await goTo('Websites')
  await keys('{Control>}k{/Control}differ')
  await page.getByRole('option', { name: 'Show websites that differ from “Client default”' }).click()
  await expect.element(screen.getByText('12 of 30 websites')).toBeVisible()
  const search = screen.getByRole('combobox', { name: 'Search websites' })
  await button('Remove filter: Differs from Client default').click()
  await search.fill('-differs:cli')
  await page.getByRole('option', { name: '-differs:Client default' }).click()
  await expect.element(button('Remove filter: Matches Client default')).toBeVisible()
  await expect.element(screen.getByText('18 of 30 websites')).toBeVisible()
  await search.fill('differs:nobody ')
  await expect.element(screen.getByText(/After “differs:”, enter the name of a preset/)).toBeVisible()
  await button('Show all websites').click()
  ;(row(all[0]?.domain ?? '').element() as HTMLElement).focus()
  await keys(' ')
  await keys('{Control>}k{/Control}apply')
  await page
    .getByRole('option', { name: 'Apply preset “Client default” to the selected websites…', exact: true })
    .click()
  await expect.element(dialog).toHaveAccessibleName('Edit 1 website')
  await keys('{Escape}')

  const toThose = page.getByRole('option', {
    name: 'Apply preset “Client default” to the websites that differ…',
    exact: true,
  })
  await keys('{Control>}k{/Control}apply')
  await toThose.click()
  await expect.element(dialog).toHaveAccessibleName('Edit 12 websites')
  await keys('{Escape}')
  bridge.answer('listKeys', () => ok([]))
  await keys('{Control>}k{/Control}apply')
  await toThose.click()
  await expect.element(screen.getByText('No websites differ.')).toBeVisible()
})

test('fits many presets with long names and lists into a narrow window', async () => {
  await page.viewport(480, 800)
  const lines = Array.from({ length: 40 }, (_, n) => `2001:db8:aaaa:bbbb:${n}::/80`)
  const long: Preset['change'] = { exclude_ips: { how: 'set', lines }, exclude_params: { how: 'set', lines: [] } }
  const name = 'x'.repeat(60)
  const { card } = await opened([preset(name, long), standard])
  await expect.element(card(name).getByText(/and 34 more/)).toBeVisible()
  await expect.element(card(name).getByText(/differ\.$/)).toBeVisible()
  const main = page.getByRole('main').element()
  expect(main.scrollWidth).toBeLessThanOrEqual(main.clientWidth)
  await expectAccessible()
})

test('websites that are selected in the list of a preset are no longer selected once the preset is deleted', async () => {
  const { screen, button, goTo, keys, row } = await opened()
  await goTo('Websites')
  await screen.getByRole('combobox', { name: 'Search websites' }).fill('differs:"Client default" ')
  await expect.element(screen.getByText('12 of 30 websites')).toBeVisible()
  ;(row(all[0]?.domain ?? '').element() as HTMLElement).focus()
  await keys(' ')
  await expect.element(screen.getByText('1 selected')).toBeVisible()
  await keys('{Control>}3{/Control}')
  await button('Delete preset “Client default”…').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect.element(page.getByText('The preset “Client default” was deleted.')).toBeVisible()
  await goTo('Websites')
  await expect.element(screen.getByText(/After “differs:”, enter the name of a preset/)).toBeVisible()
  await expect.element(screen.getByText('1 selected')).not.toBeInTheDocument()
})

test('a restored search filters by a preset as soon as the presets are read', async () => {
  const chosen = { all: false, keys: [] }
  const place = { sortBy: 'id', sort: 'desc', perPage: 'all', page: 1, active: 0, top: 0, chosen } as const
  const list = { ...place, search: 'differs:"Client default"' }
  const bridge = new MemoryBridge({ websites: all, presets: [standard] })
  bridge.world.formDrafts = { account: 'northwind', form: null, list, held: false }
  let read = () => {}
  bridge.answer('listPresets', () => new Promise((resolve) => (read = () => resolve(ok([standard])))))
  const { screen } = await openApp(bridge)
  await expect.element(screen.getByText('30 websites')).toBeVisible()
  read()
  await expect.element(screen.getByText('12 of 30 websites')).toBeVisible()
})
