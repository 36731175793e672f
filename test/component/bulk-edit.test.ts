import { page } from 'vitest/browser'
import { beforeEach, expect, test } from 'vitest'
import { fail, ok } from '../../src/shared/result.ts'
import { openApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { anAccountView, anEdit, websites } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 900))

const all = websites(30)

async function opened(world: Parameters<typeof openApp>[0] = {}) {
  const app = await openApp({ websites: all, ...world })
  await expect.element(app.row(all[0]?.domain ?? '')).toBeVisible()
  ;(app.row(all[0]?.domain ?? '').element() as HTMLElement).focus()
  await app.keys('{Shift>}{ArrowDown}{ArrowDown}{/Shift}{Control>}e{/Control}')
  const dialog = page.getByRole('dialog', { name: 'Edit 3 websites' })
  await expect.element(dialog).toBeVisible()
  const choose = (field: string, value: string) =>
    dialog.getByRole('radiogroup', { name: field }).getByRole('radio', { name: value, exact: true }).click()
  return { ...app, dialog, choose, status: dialog.getByRole('status') }
}

const keys = all.slice(0, 3).map(({ key }) => key)
/** Returns the preview's row for website `n`. Without `more`, nothing changes. */
const row = (n: number, more: object) => ({
  key: all[n]?.key ?? '',
  domain: all[n]?.domain ?? '',
  from: {},
  to: {},
  password: false,
  error: null,
  ...more,
})

test('warns of email reports that the plan does not include', async () => {
  const { dialog, choose } = await opened({ account: anAccountView() })
  const warning = dialog.getByText(/plan doesn’t include email reports/)
  await choose('Email reports', 'Off')
  await expect.element(warning).not.toBeInTheDocument()
  await choose('Email reports', 'On')
  await expect.element(warning).toBeVisible()
  await expectAccessible()
})

test('shows “Loading…” instead of “Choose what to change” while the preview of a choice is read', async () => {
  const { bridge, choose, status } = await opened()
  const held = Promise.withResolvers<undefined>()
  bridge.answer('previewBulk', async () => {
    await held.promise
    return ok({ changing: 3, same: 0, refused: 0, unlocked: 0, rows: [], pages: 1 })
  })
  await expect.element(status).toMatchTextContent(/^Choose what to change/)
  await choose('Email reports', 'On')
  await expect.element(status).toHaveTextContent('Loading…')
  held.resolve(undefined)
  await expect.element(status).toHaveTextContent('3 websites will change.')
})

test('previews a bulk edit by website, and then queues and undoes it as one change', async () => {
  const { bridge, dialog, choose, status, screen } = await opened()
  const lists = { from: { exclude_ips: ['10.0.0.1'] }, to: { exclude_ips: ['10.0.0.2'] } }
  const rows = [row(0, { from: { email: false }, to: { email: true } }), row(1, lists)]
  bridge.answer('previewBulk', () => ok({ changing: 2, same: 1, refused: 0, unlocked: 0, rows, pages: 1 }))
  await expect.element(dialog.getByRole('button', { name: 'Change websites' })).toHaveAttribute('aria-disabled', 'true')
  expect(bridge.requests('previewBulk')).toEqual([])

  await choose('Email reports', 'On')
  await choose('Excluded IP addresses', 'Add or remove')
  await dialog.getByRole('textbox', { name: 'Excluded IP addresses: lines to add' }).fill(' 10.0.0.2 \n\n10.0.0.3')
  const change = { email: true, exclude_ips: { how: 'edit', add: ['10.0.0.2', '10.0.0.3'], remove: [] } }
  await expect
    .poll(() => bridge.requests('previewBulk').at(-1))
    .toEqual({ keys, change: { ...change, masked: false }, page: 1 })
  await expect.element(status).toHaveTextContent('2 websites will change. 1 website already has these values.')
  await expect.element(dialog.getByText('Email reports: Off → On')).toBeVisible()
  await expect.element(dialog.getByText(/\+\s10\.0\.0\.2\s+−\s10\.0\.0\.1/)).toBeVisible()
  await expectAccessible()

  await dialog.getByRole('button', { name: 'Change 2 websites' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(bridge.requests('bulkUpdate')).toEqual([{ keys, change }])
  bridge.answer('undoBulk', () =>
    ok({ bulkChange: 'back', changed: 2, same: 0, refused: [], unknown: ['exclude_params'] }),
  )
  await screen.getByRole('button', { name: 'Undo' }).click()
  await expect
    .element(
      screen.getByText(
        /^The change was undone for 2 websites\. Couldn’t restore these settings .*: Excluded URL parameters\.$/,
      ),
    )
    .toBeVisible()
})

test('reads the preview again when one of its websites changes', async () => {
  const { bridge, dialog, choose } = await opened()
  const privacy = (from: 1 | 2) => [row(0, { from: { privacy: from }, to: { privacy: 0 } })]
  const answer = (from: 1 | 2) =>
    bridge.answer('previewBulk', () =>
      ok({ changing: 1, same: 2, refused: 0, unlocked: 0, rows: privacy(from), pages: 1 }),
    )
  answer(1)
  await choose('Privacy', 'Public')
  await expect.element(dialog.getByText('Privacy: Private → Public')).toBeVisible()
  answer(2)
  bridge.emit('websitesChanged', { keys: [all[9]?.key ?? ''] })
  bridge.emit('websitesChanged', { keys: [all[0]?.key ?? ''] })
  await expect.element(dialog.getByText('Privacy: Password → Public')).toBeVisible()
  expect(bridge.requests('previewBulk')).toHaveLength(2)
})

test('reads the preview at most every two seconds while its websites are being sent', async () => {
  const { bridge, choose } = await opened()
  const previews = () => bridge.requests('previewBulk').length
  const send = () => bridge.emit('websitesChanged', { keys: [all[0]?.key ?? ''] })
  await choose('Privacy', 'Public')
  await expect.poll(previews).toBe(1)
  for (let sent = 0; sent < 5; sent++) {
    send()
    await expect.poll(previews).toBe(2)
  }
  await expect.poll(previews, { timeout: 4_000 }).toBe(3)
})

test('keeps the error of a failed bulk edit while its websites change', async () => {
  const { bridge, dialog, choose } = await opened()
  bridge.answer('previewBulk', () => ok({ changing: 3, same: 0, refused: 0, unlocked: 0, rows: [], pages: 1 }))
  bridge.answer('bulkUpdate', () => fail('disk-full'))
  await choose('Email reports', 'On')
  await dialog.getByRole('button', { name: 'Change 3 websites' }).click()
  const error = dialog.getByText(/disk is full/)
  await expect.element(error).toBeVisible()
  const previews = bridge.requests('previewBulk').length
  bridge.emit('websitesChanged', { keys: [all[0]?.key ?? ''] })
  await expect.poll(() => bridge.requests('previewBulk').length).toBe(previews + 1)
  await expect.element(error).toBeVisible()
  await choose('Email reports', 'Off')
  await expect.element(error).not.toBeInTheDocument()
  await expect.poll(() => bridge.requests('previewBulk').at(-1)?.change).toMatchObject({ email: false })
})

test('shows the progress of a long bulk edit', async () => {
  const { bridge, dialog, choose } = await opened()
  bridge.answer('previewBulk', () => ok({ changing: 3, same: 0, refused: 0, unlocked: 0, rows: [], pages: 1 }))
  bridge.answer('bulkUpdate', () => new Promise(() => undefined))
  await choose('Email reports', 'On')
  await dialog.getByRole('button', { name: 'Change 3 websites' }).click()
  bridge.emit('changing', { done: 25, total: 10_000 })
  const bar = dialog.getByRole('progressbar', { name: 'Changing websites…' })
  await expect.element(bar).toHaveAttribute('value', '25')
  await expectAccessible()
})

test('a bulk edit can’t be canceled while it is being stored', async () => {
  const { bridge, dialog, choose, keys } = await opened()
  bridge.answer('previewBulk', () => ok({ changing: 3, same: 0, refused: 0, unlocked: 0, rows: [], pages: 1 }))
  bridge.answer('bulkUpdate', () => new Promise(() => undefined))
  await choose('Email reports', 'On')
  await dialog.getByRole('button', { name: 'Change 3 websites' }).click()
  const cancel = dialog.getByRole('button', { name: 'Cancel' })
  await expect.element(cancel).toHaveAttribute('aria-disabled', 'true')
  await cancel.click({ force: true })
  await keys('{Escape}')
  await expect.element(page.getByRole('alertdialog')).not.toBeInTheDocument()
  await expect.element(dialog).toBeVisible()
})

test('sends a password with the change only, never with the preview', async () => {
  const { bridge, dialog, choose } = await opened()
  await choose('Privacy', 'Password')
  await dialog.getByLabelText('Statistics password', { exact: true }).fill('s3cret')
  await expect.poll(() => bridge.requests('previewBulk').at(-1)).toMatchObject({ change: { privacy: 2, masked: true } })
  expect(JSON.stringify(bridge.requests('previewBulk'))).not.toContain('s3cret')
  await dialog.getByRole('button', { name: 'Change 3 websites' }).click()
  await expect.poll(() => bridge.requests('bulkUpdate')).toMatchObject([{ change: { privacy: 2, password: 's3cret' } }])
})

test('warns of websites that would need a password until one is given', async () => {
  const { bridge, dialog, choose } = await opened()
  bridge.answer('previewBulk', ({ keys, change }) =>
    ok({ changing: keys.length, same: 0, refused: 0, unlocked: change.masked ? 0 : 2, rows: [], pages: 1 }),
  )
  await choose('Privacy', 'Password')
  const field = dialog.getByLabelText('Statistics password', { exact: true })
  await expect.element(field).toHaveAccessibleDescription(/^2 of these websites have no password\./)
  await field.fill('s3cret')
  await expect.element(dialog.getByText(/no password/)).not.toBeInTheDocument()
})

test('keeps the choices if the bulk edit can’t be stored, and names the websites that a second try refuses, with the reasons', async () => {
  const { bridge, dialog, choose, status } = await opened()
  await choose('Exclude bots', 'Off')
  bridge.answer('bulkUpdate', () => fail('no-connection'))
  await dialog.getByRole('button', { name: 'Change 3 websites' }).click()
  await expect.element(dialog.getByRole('alert')).toBeVisible()
  const refused = [{ key: 'w1', domain: 'first.example', error: { code: 'website-gone', message: '' } as const }]
  bridge.answer('bulkUpdate', () => ok({ bulkChange: 'b', changed: 2, same: 0, refused, unknown: [] }))
  await dialog.getByRole('button', { name: 'Change 3 websites' }).click()
  await expect.element(dialog.getByText('first.example')).toBeVisible()
  await expect.element(dialog.getByText(/This website no longer exists/)).toBeVisible()
  await expect.element(status).toHaveTextContent('1 website can’t be changed.')
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
})

test('can try the same change again if all websites were refused', async () => {
  const { bridge, dialog, choose, status } = await opened()
  await choose('Exclude bots', 'Off')
  const refused = keys.map((key) => ({ key, domain: `${key}.example`, error: fail('keychain-locked').error }))
  bridge.answer('bulkUpdate', () => ok({ bulkChange: 'b', changed: 0, same: 0, refused, unknown: [] }))
  const change = dialog.getByRole('button', { name: 'Change 3 websites' })
  await change.click()
  await expect.element(status).toHaveTextContent('3 websites can’t be changed.')
  bridge.answer('bulkUpdate', () => ok({ bulkChange: 'b', changed: 3, same: 0, refused: [], unknown: [] }))
  await change.click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(bridge.requests('bulkUpdate')).toHaveLength(2)
})

test('previews another change after all websites were refused', async () => {
  const { bridge, dialog, choose, status } = await opened()
  await choose('Exclude bots', 'Off')
  const refused = keys.map((key) => ({ key, domain: `${key}.example`, error: fail('keychain-locked').error }))
  bridge.answer('bulkUpdate', () => ok({ bulkChange: 'b', changed: 0, same: 0, refused, unknown: [] }))
  await dialog.getByRole('button', { name: 'Change 3 websites' }).click()
  await expect.element(status).toHaveTextContent('3 websites can’t be changed.')
  await choose('Exclude bots', 'On')
  await expect.poll(() => bridge.requests('previewBulk').at(-1)?.change).toMatchObject({ exclude_bots: true })
  await expect.element(status).toHaveTextContent('3 websites will change.')
  await expect.element(dialog.getByRole('button', { name: 'Cancel' })).toBeVisible()
})

test('offers no Undo after a bulk edit that changed no website, and Ctrl+Z then undoes the last save', async () => {
  const { bridge, keys, dialog, choose, screen } = await opened()
  bridge.world.edits = [anEdit({ id: 'e1' })]
  const refused = [{ key: 'w1', domain: 'first.example', error: { code: 'website-gone', message: '' } as const }]
  bridge.answer('bulkUpdate', () => ok({ bulkChange: 'b', changed: 0, same: 0, refused, unknown: [] }))
  await choose('Exclude bots', 'Off')
  await dialog.getByRole('button', { name: 'Change 3 websites' }).click()
  await expect.element(screen.getByText('No websites will be changed.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Undo' }).elements()).toEqual([])
  await keys('{Control>}z{/Control}')
  await expect.poll(() => bridge.requests('undoEdit')).toEqual([{ id: 'e1' }])
  expect(bridge.requests('undoBulk')).toEqual([])
})

test('checks added lines as the editor does, but not removed ones', async () => {
  const { bridge, dialog, choose } = await opened()
  await choose('Excluded IP addresses', 'Add or remove')
  const add = dialog.getByRole('textbox', { name: 'Excluded IP addresses: lines to add' })
  await dialog.getByRole('textbox', { name: 'Excluded IP addresses: lines to remove' }).fill('rubbish')
  await add.fill('192.0.2.0/24\n10.0.0.*')
  await expect
    .element(dialog.getByText('“10.0.0.*” isn’t an IP address or a range and will have no effect.'))
    .toBeVisible()
  await expect.element(dialog.getByText(/“rubbish” isn’t an IP address/)).not.toBeInTheDocument()
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Replace with 10.0.0.0/24' }).click()
  await expect.element(add).toHaveValue('192.0.2.0/24\n10.0.0.0/24')
  await choose('Excluded URL parameters', 'Replace')
  await dialog.getByRole('textbox', { name: 'Excluded URL parameters: new list' }).fill('utm_source=x')
  await expect.element(dialog.getByText(/Enter only the name of the parameter/)).toBeVisible()
  await expect.poll(() => JSON.stringify(bridge.requests('previewBulk').at(-1))).toContain('utm_source=x')
})

test('does not add or remove lines of a list that the service never shows, and says so at the field', async () => {
  const { dialog, choose, keys } = await opened()
  const group = dialog.getByRole('radiogroup', { name: 'Excluded URL parameters' })
  await expect.element(group.getByRole('radio', { name: 'Add or remove' })).toBeDisabled()
  await expect
    .element(group)
    .toHaveAccessibleDescription('The service doesn’t show this list, so you can only replace it.')
  await expect
    .element(
      dialog.getByRole('radiogroup', { name: 'Excluded IP addresses' }).getByRole('radio', { name: 'Add or remove' }),
    )
    .toBeEnabled()
  await expectAccessible()
  await choose('Excluded URL parameters', 'Don’t change')
  await keys('{ArrowRight}')
  await expect.element(group.getByRole('radio', { name: 'Replace' })).toBeChecked()
})

test('names the field that keeps a website from being changed', async () => {
  const { bridge, dialog, choose } = await opened()
  const fields = { exclude_params: ['The service doesn’t show this list, so you can only replace it.'] }
  const error = { code: 'invalid-input', message: '', fields } as const
  bridge.answer('previewBulk', () =>
    ok({ changing: 0, same: 0, refused: 1, unlocked: 0, rows: [row(0, { error })], pages: 1 }),
  )
  await choose('Email reports', 'On')
  const warning = 'Excluded URL parameters: The service doesn’t show this list, so you can only replace it.'
  await expect.element(dialog.getByText(warning)).toBeVisible()
})

test('a control that gets the focus is not behind the buttons of a dialog that is taller than the window', async () => {
  await page.viewport(600, 740)
  const { dialog, choose } = await opened()
  await choose('Excluded IP addresses', 'Add or remove')
  await choose('Excluded URL parameters', 'Replace')
  const scroller = dialog.element()
  const buttons = scroller.querySelector('.dialog-actions')
  const controls = [...scroller.querySelectorAll<HTMLElement>('.fields :is(input, textarea, button):enabled')]
  const hidden = new Set<HTMLElement>()
  for (let at = 0; at < scroller.scrollHeight - scroller.clientHeight; at += 20)
    for (const control of controls) {
      scroller.scrollTop = at
      control.focus()
      const [top, end] = [control, buttons].map((one) => one?.getBoundingClientRect().top ?? 0)
      if ((top ?? 0) >= (end ?? 0)) hidden.add(control)
      control.blur()
    }
  expect([...hidden]).toEqual([])
})

test('Escape closes a menu in the dialog, but not the dialog', async () => {
  const { dialog, choose, keys, screen } = await opened()
  await choose('Excluded IP addresses', 'Add or remove')
  await dialog.getByRole('textbox', { name: 'Excluded IP addresses: lines to add' }).fill('192.0.2.7')
  await dialog.getByRole('button', { name: 'Named addresses' }).first().click()
  const menu = dialog.getByRole('menu')
  await expect.element(menu).toBeVisible()
  await keys('{Escape}')
  await expect.element(menu).not.toBeInTheDocument()
  await expect.element(dialog).toBeVisible()
  await expect.element(screen.getByRole('alertdialog')).not.toBeInTheDocument()
})

test('adds this computer’s address to the lines to add, and offers no such button for the lines to remove', async () => {
  const { dialog, choose } = await opened()
  await choose('Excluded IP addresses', 'Add or remove')
  const own = dialog.getByRole('button', { name: 'Add this computer’s address' })
  await expect.element(own).toBeVisible()
  expect(own.elements()).toHaveLength(1)
  await own.click()
  await expect
    .element(dialog.getByRole('textbox', { name: 'Excluded IP addresses: lines to add' }))
    .toHaveValue('198.51.100.7')
})
