import { page, userEvent } from 'vitest/browser'
import { beforeEach, expect, test } from 'vitest'
import { openApp } from './support/app.ts'
import { aWebsite } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 900))

/** `exclude_ips` is null if the service doesn't show the list. */
async function openLists(exclude_ips: string[] | null = []) {
  const website = aWebsite({ exclude_ips: exclude_ips ?? [], exclude_params: [] })
  if (exclude_ips === null) delete website.exclude_ips
  const app = await openApp({ websites: [website] })
  await app.row(website.domain).click()
  await expect.element(app.form().ips).toBeVisible()
  const at = (name: string) => app.form().form.getByRole('button', { name, exact: true })
  return { ...app, f: app.form(), at }
}

const selected = (): string => {
  const field = document.activeElement as HTMLTextAreaElement
  return field.value.slice(field.selectionStart, field.selectionEnd)
}

/** Replaces the text as pasting does: the field's own Undo takes it back in one step. */
async function paste(text: string): Promise<void> {
  await expect.poll(() => document.activeElement?.localName).toBe('textarea')
  document.execCommand('insertText', false, text)
}

test('reports each questionable line with its number, and leads to it', async () => {
  const { f, at } = await openLists()
  await f.ips.fill('203.0.113.7\nmy office\n203.0.113.7\n10.0.0.0/8\n10.1.2.3')
  await expect.element(f.ips).toHaveAccessibleDescription(/Line 2 “my office” isn’t an IP address or a range/)
  await expect.element(f.ips).toHaveAccessibleDescription(/Line 3 “203\.0\.113\.7” is already on line 1/)
  await expect
    .element(f.ips)
    .toHaveAccessibleDescription(/Line 5 “10\.1\.2\.3” is covered by “10\.0\.0\.0\/8” on line 4/)
  await at('Line 2').click()
  await expect.element(f.ips).toHaveFocus()
  expect(selected()).toBe('my office')
  await expect.element(f.ips).not.toBeInvalid()
  await expect.element(f.button('Save')).toBeEnabled()
})

test('tidying removes lines without effect, and Ctrl+Z restores them', async () => {
  const { f, at, keys } = await openLists()
  const typed = ' 203.0.113.7\n\n203.0.113.7\n10.0.0.0/8\n10.1.2.3'
  await f.ips.fill(typed)
  await at('Clean up (removes 2 lines)').click()
  await expect.element(f.ips).toHaveValue('203.0.113.7\n10.0.0.0/8')
  await expect.element(f.ips).toHaveFocus()
  await keys('{Control>}z{/Control}')
  await expect.element(f.ips).toHaveValue(typed)
})

test('replaces a line by the suggestion on a click', async () => {
  const { f, at } = await openLists()
  await f.ips.fill('203.0.113.7\n198.51.100.*\n::1')
  await at('Replace with 198.51.100.0/24').click()
  await expect.element(f.ips).toHaveValue('203.0.113.7\n198.51.100.0/24\n::1')
  await f.params.fill('?utm_source=a&ref=b')
  await at('Replace with utm_source, ref').click()
  await expect.element(f.params).toHaveValue('utm_source\nref')
})

test('explains that a line with only & excludes all parameters, and that the other lines then have no effect', async () => {
  const { f } = await openLists()
  await expect.element(f.params).toHaveAccessibleDescription(/A line with only “&” excludes all parameters/)
  await f.params.fill('ref\n&')
  await expect.element(f.params).toHaveAccessibleDescription(/A line with only “&” excludes all URL parameters/)
  await expect.element(f.params).toHaveAccessibleDescription(/Line 1 “ref” is covered by “&” on line 2/)
})

test('pastes hundreds of lines at once, undoes that at once, and saves them unchanged', async () => {
  const { f, bridge, keys } = await openLists(['::1'])
  const lines = Array.from({ length: 900 }, (_, i) => `10.${i >> 8}.${i & 255}.1`)
  await f.ips.click()
  await keys('{Control>}{End}{/Control}')
  await paste(`\n${lines.join('\n')}`)
  await expect.element(f.form.getByText('901 lines')).toBeVisible()
  await keys('{Control>}z{/Control}')
  await expect.element(f.ips).toHaveValue('::1')
  await userEvent.keyboard('{Control>}y{/Control}')
  await f.button('Save').click()
  await expect.poll(() => bridge.requests('updateWebsite')[0]?.changes.exclude_ips).toEqual(['::1', ...lines])
})

test('draws only the visible line numbers of thousands', async () => {
  const { f } = await openLists(Array.from({ length: 4000 }, (_, i) => `10.${i >> 8}.${i & 255}.1`))
  await expect.element(f.form.getByText('4,000 lines')).toBeVisible()
  const numbers = () =>
    [...(f.ips.element().parentElement?.querySelectorAll('li') ?? [])].map((li) => Number(li.textContent))
  await expect.poll(() => numbers()[0]).toBe(1)
  const field = f.ips.element() as HTMLTextAreaElement
  field.scrollTop = field.scrollHeight
  await expect.poll(() => numbers().at(-1)).toBe(4000)
  expect(numbers().length).toBeLessThan(40)
})

test('shows a few of many findings, and the others on request', async () => {
  const { f, at } = await openLists()
  await f.ips.fill(Array.from({ length: 9 }, (_, i) => `office ${i + 1}`).join('\n'))
  await expect.element(at('Line 3')).toBeVisible()
  await expect.element(at('Line 4')).not.toBeInTheDocument()
  await at('Show 6 more').click()
  await expect.element(at('Line 9')).toBeVisible()
  await at('Show fewer').click()
  await expect.element(at('Line 9')).not.toBeInTheDocument()
})

test('a button adds this computer’s address unless the list has it, and Ctrl+Z in the field takes it back', async () => {
  const { f, at, keys, bridge } = await openLists(['10.0.0.1'])
  await at('Add this computer’s address').click()
  await expect.element(f.ips).toHaveValue('10.0.0.1\n198.51.100.7')
  await expect.element(f.form.getByText(/^Added \S+\. This computer’s address/)).toBeVisible()
  await at('Add this computer’s address').click()
  await expect.element(f.form.getByText('This computer’s address is already in the list.')).toBeVisible()
  await expect.element(f.ips).toHaveValue('10.0.0.1\n198.51.100.7')
  await f.ips.click()
  await keys('{Control>}z{/Control}')
  await expect.element(f.ips).toHaveValue('10.0.0.1')
  await f.ips.fill('198.51.100.0/24')
  await at('Add this computer’s address').click()
  await expect.element(f.form.getByText('This computer’s address is already in the list.')).toBeVisible()
  bridge.answer('getOwnAddresses', () => ({ ok: true, value: [] }))
  await at('Add this computer’s address').click()
  await expect.element(f.form.getByText(/^Couldn’t find this computer’s address/)).toBeVisible()
  await expect.element(f.ips).toHaveValue('198.51.100.0/24')
})

test('offers this computer’s address for a list that the service does not show only once a line is typed, and adds none if the user has gone on to another field', async () => {
  const hidden = await openLists(null)
  await expect.element(hidden.at('Add this computer’s address')).not.toBeInTheDocument()
  await hidden.f.ips.fill('10.0.0.1')
  const answer = Promise.withResolvers<undefined>()
  hidden.bridge.answer('getOwnAddresses', async () => {
    await answer.promise
    return { ok: true, value: ['198.51.100.7'] }
  })
  await hidden.at('Add this computer’s address').click()
  await hidden.f.params.fill('utm_source')
  answer.resolve(undefined)
  await expect.element(hidden.at('Add this computer’s address')).not.toHaveAttribute('aria-disabled', 'true')
  await expect.element(hidden.f.params).toHaveFocus()
  await expect.element(hidden.f.ips).toHaveValue('10.0.0.1')
})
