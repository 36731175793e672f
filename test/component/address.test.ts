import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fail, ok } from '../../src/shared/result.ts'
import { openConnect, paste } from './support/connect.ts'

beforeEach(() => page.viewport(1180, 740))

test('an address is asked, once it is left, whether the service answers there; no key goes with it', async () => {
  const { far, screen, address, apiKey } = await openConnect()
  await address.fill('stats.example/docs')
  expect(far.requests('checkAddress')).toEqual([])
  await userEvent.tab()
  await expect.element(address).toHaveAccessibleDescription(/^The service responds at https:\/\/stats\.example\/docs$/)
  expect(far.requests('checkAddress')).toEqual([{ address: 'https://stats.example/docs' }])
  await address.click()
  await userEvent.tab()
  expect(far.requests('checkAddress')).toHaveLength(1)

  far.answer('checkAddress', () => fail('certificate'))
  await address.fill('old.example')
  await expect.element(address).not.toHaveAccessibleDescription(/service responds/)
  await userEvent.tab()
  await expect.element(screen.getByText('The service’s certificate isn’t trusted.')).toBeVisible()
  await expect.element(apiKey).toHaveFocus()

  await address.fill('new.example')
  await expect.element(screen.getByText('The service’s certificate isn’t trusted.')).not.toBeInTheDocument()
})

test('what is heard of an address that isn’t typed any more isn’t said', async () => {
  const { far, screen, address } = await openConnect()
  let answer: () => void = () => undefined
  const later = new Promise<void>((resolve) => (answer = resolve))
  far.answer('checkAddress', async () => {
    await later
    return fail('unreachable')
  })
  await address.fill('slow.example')
  await userEvent.tab()
  await address.fill('stats.example')
  far.answer('checkAddress', () => ok(undefined))
  answer()
  await userEvent.tab()
  await address.click()
  await userEvent.tab()
  await expect.element(address).toHaveAccessibleDescription(/service responds/)
  await expect.element(screen.getByText('Couldn’t reach the service.')).not.toBeInTheDocument()
})

test('a window that is left while the address is typed asks nothing; what is pasted is asked at once', async () => {
  const { far, address } = await openConnect()
  await address.fill('stats.exam')
  const field = address.element() as HTMLInputElement
  field.focus()
  // So it is for the field when the window goes: it stays the page's active element.
  field.dispatchEvent(new FocusEvent('blur'))
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(far.requests('checkAddress')).toEqual([])
  field.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, clipboardData: new DataTransfer() }))
  await expect.poll(() => far.requests('checkAddress')).toEqual([{ address: 'https://stats.exam' }])
})

test('where another address is offered before there is a key, it is asked, and the key waited for', async () => {
  const { far, screen, address, apiKey } = await openConnect()
  far.answer('checkAddress', () => fail('not-found'))
  await address.fill('stats.example/dashboard')
  await userEvent.tab()
  far.answer('checkAddress', () => ok(undefined))
  await screen.getByRole('button', { name: 'Try https://stats.example' }).click()
  await expect.element(address).toHaveAccessibleDescription(/service responds/)
  await expect.element(apiKey).not.toHaveAttribute('aria-invalid')
  expect(far.requests('connect')).toEqual([])
})

test('warns of plain http outside this computer', async () => {
  const { address } = await openConnect()
  await address.fill('http://127.0.0.1:8080')
  await expect.element(address).not.toHaveAccessibleDescription(/isn’t encrypted/)
  await address.fill('http://stats.example')
  await expect.element(address).toHaveAccessibleDescription(/isn’t encrypted/)
})

test('says while it is typed what the address comes to, and what no more typing mends', async () => {
  const { address } = await openConnect()
  await address.fill('stats.example')
  await expect.element(address).toHaveAccessibleDescription(/Connects to https:\/\/stats\.example$/)
  await address.fill('stats.example/api/v1/websites?page=1')
  await expect.element(address).toHaveAccessibleDescription(/“\/api\/v1\/websites\?page=1” isn’t part of the address/)
  await address.fill('https://stats.example')
  await expect.element(address).toHaveAccessibleDescription(/The address in your browser/)
  await address.fill('ada:pass@stats.example')
  await expect.element(address).toBeInvalid()
  await expect.element(address).toHaveAccessibleDescription(/enter the API key below/)
  await address.fill('stats.')
  await expect.element(address).not.toHaveAccessibleDescription(/enter the API key below/)
})

test('out of an example of the documentation the address is taken, and Ctrl+Z takes that back', async () => {
  const { screen, address, apiKey, keys } = await openConnect()
  // Nothing is cut out of a field that hides what it has.
  await screen.getByRole('button', { name: 'Show key' }).click()
  await paste(apiKey, "curl 'https://stats.example/api/v1/account' --header 'Accept: application/json'", address)
  await expect.element(address).toHaveValue('https://stats.example/api/v1/account')
  await keys('{Control>}z{/Control}')
  await expect.element(address).toHaveValue('')
})

test('where something else answers under a path, the same is tried without it at a click', async () => {
  const { far, screen, address, apiKey, connect } = await openConnect()
  far.answer('connect', () => fail('not-the-service', { status: 200 }))
  await address.fill('stats.example/dashboard')
  await apiKey.fill('k3y')
  await connect.click()
  await expect.element(screen.getByRole('alert')).toBeVisible()
  // What was said of one address isn't said of another.
  await address.fill('stats.example/dashboards')
  await expect.element(screen.getByRole('alert')).not.toBeInTheDocument()
  await address.fill('stats.example/dashboard')
  await connect.click()
  await screen.getByRole('button', { name: 'Try https://stats.example', exact: true }).click()
  await expect
    .poll(() => far.requests('connect').map((each) => each.address))
    .toEqual(['https://stats.example/dashboard', 'https://stats.example/dashboard', 'https://stats.example'])
  await expect.element(screen.getByRole('button', { name: /^Try https/ })).not.toBeInTheDocument()
})
