import { page, type Locator } from 'vitest/browser'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { fail, ok } from '../../src/shared/result.ts'
import { openApp, openWebsite } from './support/app.ts'
import { aConnection, aHistoryEntry, anAppState, anEdit, aParked, aWebsite, websites } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 740))

const button = (name: string) => page.getByRole('button', { name, exact: true })

/** Presses the button `wanted`, which `happens` then removes. Expects that another element gets the focus. */
async function pressDisappearingButton(
  keys: (keys: string) => Promise<void>,
  wanted: Locator,
  happens?: () => void,
): Promise<void> {
  await expect.element(wanted).toBeVisible()
  ;(wanted.element() as HTMLElement).focus()
  await expect.element(wanted).toHaveFocus()
  await keys('{Enter}')
  happens?.()
  await expect.element(wanted).not.toBeInTheDocument()
  await expect.poll(() => document.activeElement).not.toBe(document.body)
}

test('does not lose the focus with the button that shows all websites after a search without results', async () => {
  const { keys, screen, row } = await openApp({ websites: websites(3) })
  await screen.getByRole('combobox', { name: 'Search websites' }).fill('zzz')
  await pressDisappearingButton(keys, button('Show all websites'))
  await expect.element(row(websites(1)[0]?.domain ?? '')).toBeVisible()
})

test('does not lose the focus with the button that tries again to read the list', async () => {
  const refresh = { ...anAppState().refresh, seenAt: null, error: { code: 'unavailable' as const, message: '' } }
  const { keys, bridge } = await openApp({ state: anAppState({ refresh }) })
  await pressDisappearingButton(keys, button('Try again'), () =>
    bridge.setState({ refresh: { ...refresh, running: true, error: null } }),
  )
})

test('does not lose the focus with “Resume sending” and “Show all” under Pending', async () => {
  const site = aWebsite({ key: 'mine', state: 'parked' })
  const edits = [anEdit({ id: 'other', website: 'other' }), aParked({ id: 'mine', website: 'mine' })]
  const { keys, bridge, goTo, row } = await openApp({
    websites: [site],
    edits,
    state: anAppState({ paused: true, waiting: 1, parked: 1 }),
  })
  await goTo('Pending')
  await pressDisappearingButton(keys, button('Resume sending'), () => {
    bridge.world.edits = edits.slice(1)
    bridge.setState({ paused: false, waiting: 0 })
    bridge.emit('editsChanged', undefined as never)
  })
  bridge.world.edits = edits
  await goTo('Websites')
  await row(site.domain).click()
  await button('Resolve').click()
  await pressDisappearingButton(keys, button('Show all'))
})

test('keeps the focus in the Disconnect dialog when “Discard…” lists the changes, and when the last of them is sent', async () => {
  const { keys, bridge, goTo } = await openApp({ edits: [anEdit({})], state: anAppState({ waiting: 1 }) })
  await goTo('Account')
  await button('Disconnect…').click()
  await pressDisappearingButton(keys, button('Discard…'))
  const dialog = page.getByRole('alertdialog')
  const inDialog = () => document.activeElement?.closest('[role=alertdialog]') ?? null
  await expect.poll(inDialog).toBe(dialog.element())
  await pressDisappearingButton(keys, dialog.getByRole('button', { name: 'Send now' }), () => {
    bridge.world.edits = []
    bridge.setState({ waiting: 0 })
  })
  await expect.poll(inDialog).toBe(dialog.element())
  await keys('{Escape}')
  await expect.element(button('Disconnect…')).toHaveFocus()
})

test('does not lose the focus in the bulk dialog after a website was refused', async () => {
  const { keys, bridge, row } = await openApp({ websites: websites(3) })
  bridge.answer('bulkUpdate', ({ keys: changed }) => {
    const key = changed[0] ?? ''
    const refused = [{ key, domain: websites(1)[0]?.domain ?? '', error: fail('website-gone').error }]
    return ok({ bulkChange: 'batch', changed: 2, same: 0, refused, unknown: [] })
  })
  await expect.element(row(websites(1)[0]?.domain ?? '')).toBeVisible()
  ;(row(websites(1)[0]?.domain ?? '').element() as HTMLElement).focus()
  await keys('{Control>}a{/Control}{Control>}e{/Control}')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radiogroup', { name: 'Email reports' }).getByRole('radio', { name: 'On' }).click()
  await pressDisappearingButton(keys, dialog.getByRole('button', { name: 'Change 3 websites' }))
  await expect.poll(() => document.activeElement?.closest('[role=dialog]')).not.toBe(null)
})

test('does not lose the focus when the keychain is asked again in Account', async () => {
  const { keys, bridge, goTo } = await openApp({
    state: anAppState({ connection: aConnection({ key: 'locked' }), keychain: 'locked' }),
  })
  await goTo('Account')
  await pressDisappearingButton(keys, button('Try the keychain again').first(), () =>
    bridge.setState({ connection: aConnection(), keychain: 'ready' }),
  )
})

test('does not lose the focus when a newer version is downloaded in Settings', async () => {
  const { keys, bridge, goTo } = await openApp({
    state: anAppState({ update: { state: 'found', version: '0.2.0', error: null } }),
  })
  await goTo('Settings')
  await pressDisappearingButton(keys, button('Download'), () =>
    bridge.setState({ update: { state: 'downloading', version: '0.2.0' } }),
  )
})

test('does not lose the focus when the report of an import is dismissed, and when the search is cleared', async () => {
  const { keys, bridge, goTo, screen } = await openApp({ websites: websites(3), history: [aHistoryEntry()] })
  await goTo('Pending')
  bridge.answer('finishImport', () => ok({ added: 1, skipped: 0, parked: 0, refused: [] }))
  await button('Import…').click()
  await button('Import changes').click()
  await expect.element(screen.getByText('Import finished')).toBeVisible()
  await pressDisappearingButton(keys, page.getByRole('button', { name: 'Dismiss' }).first())
  await goTo('Websites')
  await screen.getByRole('combobox', { name: 'Search websites' }).fill('a')
  await pressDisappearingButton(keys, button('Clear search'))
})

test('does not lose the focus with “Revert” or “Cancel” in the editor, which disappear when they are pressed', async () => {
  const { keys, form, row } = await openApp({ websites: websites(3) })
  await row(websites(1)[0]?.domain ?? '').click()
  const f = form()
  await f.email.click()
  await pressDisappearingButton(keys, page.getByRole('button', { name: /^Revert/ }).first())
  await f.email.click()
  await pressDisappearingButton(keys, f.button('Cancel'))
})

test('keeps the focus in the foot of the editor when its Undo disappears by Ctrl+Z', async () => {
  const { bridge, form, keys } = await openWebsite()
  const f = form()
  await f.email.click()
  await f.button('Save').click()
  bridge.world.edits = [anEdit({ website: 'w1' })]
  await expect.element(f.button('Undo')).toBeVisible()
  await pressDisappearingButton(
    (pressed) => keys(pressed.replace('{Enter}', '{Control>}z{/Control}')),
    f.button('Undo'),
  )
  await expect.element(f.button('Cancel')).toHaveFocus()
})

test('keeps the focus in the foot of the editor when the Undo of a delete disappears by Ctrl+Z', async () => {
  const [first = expect.fail(), ...others] = websites(3)
  const { bridge, form, keys, row } = await openApp({
    websites: [{ ...first, state: 'deleting' }, ...others],
    edits: [anEdit({ website: first.key, kind: 'delete' })],
  })
  await row(first.domain).click()
  const undo = form().button('Undo')
  await pressDisappearingButton(
    async (pressed) => {
      await keys(pressed.replace('{Enter}', '{Control>}z{/Control}'))
    },
    undo,
    () => {
      bridge.world.websites = [first, ...others]
      bridge.emit('websitesChanged', { keys: [first.key] })
    },
  )
  await expect.element(form().button('Cancel')).toHaveFocus()
})

test('keeps the focus in the foot of the editor when the Undo of a delete replaces that of a save', async () => {
  const { bridge, form } = await openWebsite()
  const f = form()
  await f.email.click()
  await f.button('Save').click()
  const undo = f.button('Undo')
  await expect.element(undo).toBeVisible()
  const showAs = (state: 'changed' | 'deleting') => {
    bridge.world.websites = bridge.world.websites.map((website) => ({ ...website, state }))
    bridge.emit('websitesChanged', { keys: ['w1'] })
  }
  for (const state of ['deleting', 'changed'] as const) {
    ;(undo.element() as HTMLElement).focus()
    showAs(state)
    await expect.element(f.button('Close').last()).toHaveFocus()
    await expect.element(undo).toBeVisible()
  }
})

test('leaves the focus in the search when the editor closes because its website was deleted', async () => {
  const { bridge, form, row, screen } = await openApp({ websites: websites(3) })
  await row(websites(1)[0]?.domain ?? '').click()
  await expect.element(form().form).toBeVisible()
  const search = screen.getByRole('combobox', { name: 'Search websites' })
  await search.click()
  bridge.world.websites = bridge.world.websites.slice(1)
  bridge.emit('websitesChanged', { keys: ['w1'] })
  await expect.element(form().form).not.toBeInTheDocument()
  await expect.element(search).toHaveFocus()
})

test('does not lose the focus with “Discard” in the editor of a narrow window, which hides the list', async () => {
  await page.viewport(700, 740)
  const can = { undo: false, discard: true, sendNow: false }
  const { bridge, row } = await openApp({
    websites: [aWebsite({ state: 'parked' })],
    edits: [anEdit({ state: 'parked', reason: 'failing', can })],
  })
  await row(aWebsite().domain).click()
  await button('Discard…').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
  await expect.element(button('Discard…')).toHaveFocus()
  bridge.emit('editsChanged', undefined)
  await expect.element(button('Discard…')).not.toBeInTheDocument()
  await expect.poll(() => document.activeElement).not.toBe(document.body)
})

test('a screen of large text that a command has opened starts at its top', async () => {
  await page.viewport(480, 420)
  document.documentElement.style.fontSize = '26px'
  onTestFinished(() => void document.documentElement.style.removeProperty('font-size'))
  const history = Array.from({ length: 30 }, (_, n) => aHistoryEntry({ id: `e${n}` }))
  const { keys, row, screen } = await openApp({ websites: websites(3), history })
  const [first] = websites(1)
  await expect.element(row(first?.domain ?? '')).toBeVisible()
  ;(row(first?.domain ?? '').element() as HTMLElement).focus()
  await keys('{Control>}k{/Control}activity{Enter}')
  const region = screen.getByRole('region', { name: 'Activity' })
  await expect.element(region).toHaveFocus()
  expect(region.element().clientHeight).toBeGreaterThan(1000)
  expect(region.element().parentElement?.scrollTop).toBe(0)
})

test('the search opens although the editor of a narrow window hides it, after a question about unsaved text', async () => {
  await page.viewport(600, 740)
  const { bridge, form, keys, row, screen } = await openApp({ websites: websites(2) })
  const search = screen.getByRole('combobox', { name: 'Search websites' })
  const domain = websites(1)[0]?.domain ?? ''
  await row(domain).click()
  await expect.element(form().form).toBeVisible()
  bridge.leadTo({ to: 'search' })
  await expect.element(search).toHaveFocus()
  await expect.element(form().form).not.toBeInTheDocument()

  await row(domain).click()
  await form().ips.fill('192.0.2.1')
  bridge.leadTo({ to: 'search' })
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Leave without saving' }).click()
  await expect.element(search).toHaveFocus()
  await keys('lumen')
  await expect.element(search).toHaveValue('lumen')
})

test.each(['all', '25 per page'])(
  'Escape in a website that was opened from the activity focuses its row, which is far down the list (page size: %s)',
  async (pages) => {
    const all = websites(600)
    const { domain = '', key = '' } = all[430] ?? {}
    const { keys, screen, goTo, form, row, view } = await openApp({
      websites: all,
      history: [aHistoryEntry({ website: key, domain })],
    })
    await expect.element(row(all[0]?.domain ?? '')).toBeVisible()
    if (pages !== 'all') await view(pages)
    await goTo('Activity')
    await screen.getByRole('list', { name: 'Activity' }).getByRole('button', { name: domain }).click()
    await expect.element(form().form).toBeVisible()
    await keys('{Escape}')
    await expect.element(form().form).not.toBeInTheDocument()
    await expect.element(row(domain)).toHaveFocus()
    await expect.element(row(domain)).toBeInViewport({ ratio: 1 })
  },
)

test('Escape in a website that the list does not show focuses the search', async () => {
  const { keys, screen, goTo, form } = await openApp({ websites: websites(3), history: [aHistoryEntry()] })
  const search = screen.getByRole('combobox', { name: 'Search websites' })
  await search.fill('lumen')
  await expect.element(screen.getByText(/ of 3 websites$/)).toBeVisible()
  await goTo('Activity')
  await screen.getByRole('list', { name: 'Activity' }).getByRole('button', { name: 'moss-and-stone.example' }).click()
  await expect.element(form().form).toBeVisible()
  await keys('{Escape}')
  await expect.element(search).toHaveFocus()
})

test('Escape in the form for a new website focuses what opened it', async () => {
  const { keys, form, row } = await openApp({ websites: websites(3) })
  const third = row(websites(3)[2]?.domain ?? '')
  await expect.element(third).toBeVisible()
  ;(third.element() as HTMLElement).focus()
  await keys('{Control>}n{/Control}')
  await expect.element(form().domain).toHaveFocus()
  await keys('{Escape}')
  await expect.element(third).toHaveFocus()

  await third.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await expect.element(form().domain).toHaveFocus()
  await keys('{Escape}')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave without saving' }).click()
  await expect.element(third).toHaveFocus()

  await button('Add website').click()
  await expect.element(form().domain).toHaveFocus()
  await keys('{Escape}')
  await expect.element(button('Add website')).toHaveFocus()
})
