import { page } from 'vitest/browser'
import { beforeEach, expect, test } from 'vitest'
import { fail, ok } from '../../src/shared/result.ts'
import { openApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { anAppState, websites } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 900))

const others = [
  { name: 'Garden', address: 'https://garden.example' },
  { name: 'Studio Nord', address: 'https://stats.studio.example' },
  { name: 'Attic', address: 'https://attic.example', running: false, key: 'missing' as const },
]
const all = websites(4).map((website, n) => ({ ...website, privacy: n === 0 ? (2 as const) : (1 as const) }))

/** Opens the list of an account beside three others. `begin` selects all websites, and opens the dialog that copies them. */
async function opened(list = all) {
  const app = await openApp({ websites: list, state: anAppState({ others, websites: list.length }) })
  await expect.element(app.screen.getByRole('columnheader', { name: 'Domain' })).toBeVisible()
  const dialog = page.getByRole('dialog', { name: /^Copy \d+ websites? to another account$/ })
  const begin = async () => {
    document.querySelector<HTMLElement>('[data-row="0"]')?.focus()
    await app.keys('{Control>}a{/Control}')
    await app.screen
      .getByRole('toolbar', { name: 'Selected websites' })
      .getByRole('button', { name: 'Copy to…' })
      .click()
  }
  const submit = (name: string | RegExp) => dialog.getByRole('button', { name })
  return { ...app, dialog, begin, submit, choice: dialog.getByRole('combobox', { name: /with a password/ }) }
}

test('copies the selected websites to the chosen account, and offers to undo that', async () => {
  const { screen, bridge, dialog, begin, submit } = await opened(all.slice(1))
  bridge.answer('previewCopy', ({ keys }) =>
    ok(
      keys.map((key, at) => ({
        ...{ key, domain: `w${at}.example`, unknown: [] },
        effect: at === 0 ? ('exists' as const) : ('copied' as const),
      })),
    ),
  )
  await begin()
  await expect
    .element(dialog.getByText('2 websites will be copied. 1 website already exists there and will be skipped.'))
    .toBeVisible()
  await expect.element(dialog.getByRole('row', { name: /^w0\.example Already exists in that account/ })).toBeVisible()
  await expectAccessible()
  const account = dialog.getByRole('combobox', { name: 'Copy to' })
  expect(account.getByRole('option').elements()).toHaveLength(2)
  await account.selectOptions('other-1')
  await submit('Copy 2 websites').click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(bridge.requests('copyWebsites')).toMatchObject([{ account: 'other-1', protectedAs: null }])
  await expect.element(screen.getByText(/^3 websites will be added to .?Studio Nord.?\.$/)).toBeVisible()
  const domains = Array.from({ length: 9 }, (_, n) => `w${n}.example`)
  const sent = { kind: 'create' as const, count: 12, domains }
  bridge.answer('undoBulk', () => ok({ bulkChange: 'copy', changed: 0, same: 0, refused: [], unknown: [], sent }))
  await screen.getByRole('button', { name: 'Undo' }).click()
  const question = screen.getByRole('alertdialog', { name: /^Delete 12 websites in .?Studio Nord.?\?$/ })
  await expect.element(question).toBeVisible()
  const named = question.getByRole('listitem').elements()
  expect(named.map((item) => item.textContent)).toEqual([...domains.slice(0, 8), 'and 4 more'])
  await expect.poll(() => bridge.requests('undoBulk')).toEqual([{ bulkChange: 'copy', account: 'other-1' }])
})

test('asks how websites with a password are copied', async () => {
  const { bridge, dialog, begin, submit, choice } = await opened()
  await begin()
  await expect.element(choice).toBeVisible()
  await expect.element(submit('Copy 3 websites')).toHaveAttribute('aria-disabled', 'true')
  await choice.selectOptions('password')
  await expect.element(submit('Copy 4 websites')).toHaveAttribute('aria-disabled', 'true')
  await dialog.getByLabelText('Statistics password', { exact: true }).fill('a new password')
  await expectAccessible()
  await submit('Copy 4 websites').click()
  await expect
    .poll(() => bridge.requests('copyWebsites'))
    .toMatchObject([{ account: 'other-0', protectedAs: { privacy: 2, password: 'a new password' } }])
  await begin()
  await choice.selectOptions('public')
  await expect.element(dialog.getByRole('row', { name: /copied as “Public”/ })).toBeVisible()
  await choice.selectOptions('skip')
  await submit('Copy 3 websites').click()
  await expect.poll(() => bridge.requests('copyWebsites').at(-1)).toMatchObject({ protectedAs: null })
})

test('a website that is copied from the menu of its row and refused is named in the dialog, which stays open', async () => {
  const { screen, bridge, dialog, submit } = await opened(all.slice(1))
  bridge.answer('copyWebsites', () =>
    ok({ bulkChange: 'b', created: 0, refused: [{ domain: 'w.example', error: fail('disk-full').error }] }),
  )
  await screen.getByRole('row').nth(1).click({ button: 'right' })
  await screen.getByRole('menuitem', { name: 'Copy to account…' }).click()
  await submit('Copy 1 website').click()
  await expect.element(dialog.getByText('Couldn’t copy 1 website.')).toBeVisible()
  await expect.element(dialog.getByRole('row', { name: /^w\.example/ })).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
})

test('says why the chosen account may add the copies late or reject them', async () => {
  const state = anAppState({
    paused: true,
    websites: 4,
    others: [
      { name: 'Garden', address: 'https://garden.example', key: 'refused' },
      { name: 'Same', address: anAppState().connection?.address ?? '' },
      { name: 'Studio Nord', address: 'https://stats.studio.example' },
    ],
  })
  const { screen } = await openApp({ websites: all, state })
  const dialog = page.getByRole('dialog', { name: 'Copy 1 website to another account' })
  await screen.getByRole('row').nth(2).click({ button: 'right' })
  await screen.getByRole('menuitem', { name: 'Copy to account…' }).click()
  const account = dialog.getByRole('combobox', { name: 'Copy to' })
  await expect.element(account).toHaveAccessibleDescription(/key of that account is missing or was rejected/)
  await account.selectOptions('other-1')
  await expect.element(account).toHaveAccessibleDescription(/Both accounts use the same service/)
  await account.selectOptions('other-2')
  await expect.element(account).toHaveAccessibleDescription(/Sending is paused.* You can undo the copy\./)
  await expectAccessible()
})

test('a copy can’t be canceled while it is being queued, and its answer closes the dialog', async () => {
  const { screen, bridge, dialog, submit } = await opened(all.slice(1))
  const answered = Promise.withResolvers<void>()
  bridge.answer('copyWebsites', async () => {
    await answered.promise
    return ok({ bulkChange: 'copy', created: 1, refused: [] })
  })
  await screen.getByRole('row').nth(1).click({ button: 'right' })
  await screen.getByRole('menuitem', { name: 'Copy to account…' }).click()
  await submit('Copy 1 website').click()
  const cancel = dialog.getByRole('button', { name: 'Cancel' })
  await expect.element(cancel).toHaveAttribute('aria-disabled', 'true')
  await cancel.click({ force: true })
  await expect.element(dialog).toBeVisible()
  answered.resolve()
  await expect.element(screen.getByText(/^1 website will be added to .?Garden.?\.$/)).toBeVisible()
  await expect.element(dialog).not.toBeInTheDocument()
})

test('copying to another account is not offered with one account', async () => {
  const { screen } = await openApp({ websites: all })
  await screen.getByRole('row').nth(1).click({ button: 'right' })
  await expect.element(screen.getByRole('menuitem', { name: 'Duplicate' })).toBeVisible()
  await expect.element(screen.getByRole('menuitem', { name: 'Copy to account…' })).not.toBeInTheDocument()
})

test('Ctrl+Z undoes a copy to another account, also after its toast has gone', async () => {
  const { screen, bridge, begin, submit, keys } = await opened(all.slice(1))
  await begin()
  await submit('Copy 3 websites').click()
  await expect.element(screen.getByText(/^3 websites will be added to /)).toBeVisible()
  await screen.getByRole('button', { name: 'Dismiss' }).click()
  await keys('{Control>}z{/Control}')
  await expect.poll(() => bridge.requests('undoBulk')).toMatchObject([{ account: 'other-0' }])
})
