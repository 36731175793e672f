import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fail, ok } from '../../src/shared/result.ts'
import { openConnect, paste } from './support/connect.ts'

beforeEach(() => page.viewport(1180, 740))

test('checks without a key whether the service answers at an address, once the field is left', async () => {
  const { bridge, screen, address, apiKey } = await openConnect()
  await address.fill('stats.example/docs')
  expect(bridge.requests('checkAddress')).toEqual([])
  await userEvent.tab()
  await expect
    .element(address)
    .toHaveAccessibleDescription(/^The service responds at https:\/\/stats\.example\/docs\.$/)
  expect(bridge.requests('checkAddress')).toEqual([{ address: 'https://stats.example/docs' }])
  await address.click()
  await userEvent.tab()
  expect(bridge.requests('checkAddress')).toHaveLength(1)

  bridge.answer('checkAddress', () => fail('certificate'))
  await address.fill('old.example')
  await expect.element(address).not.toHaveAccessibleDescription(/service responds/)
  await userEvent.tab()
  await expect.element(screen.getByText('The service’s certificate isn’t trusted.')).toBeVisible()
  await expect.element(apiKey).toHaveFocus()

  await address.fill('new.example')
  await expect.element(screen.getByText('The service’s certificate isn’t trusted.')).not.toBeInTheDocument()
})

test('shows no answer about an address that has been changed before the answer', async () => {
  const { bridge, screen, address } = await openConnect()
  let answer: () => void = () => undefined
  const later = new Promise<void>((resolve) => (answer = resolve))
  bridge.answer('checkAddress', async () => {
    await later
    return fail('unreachable')
  })
  await address.fill('slow.example')
  await userEvent.tab()
  await address.fill('stats.example')
  bridge.answer('checkAddress', () => ok(undefined))
  answer()
  await userEvent.tab()
  await address.click()
  await userEvent.tab()
  await expect.element(address).toHaveAccessibleDescription(/service responds/)
  await expect.element(screen.getByText('Couldn’t reach the service.')).not.toBeInTheDocument()
})

test('does not check a half-typed address when the window loses the focus, but checks a pasted address at once', async () => {
  const { bridge, address } = await openConnect()
  await address.fill('stats.exam')
  const field = address.element() as HTMLInputElement
  field.focus()
  // This happens when the window loses the focus: `blur`, but the field stays the page's active element.
  field.dispatchEvent(new FocusEvent('blur'))
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(bridge.requests('checkAddress')).toEqual([])
  field.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, clipboardData: new DataTransfer() }))
  await expect.poll(() => bridge.requests('checkAddress')).toEqual([{ address: 'https://stats.exam' }])
})

test('checks the suggested address when the user chooses it, and does not connect while there is no key', async () => {
  const { bridge, screen, address, apiKey } = await openConnect()
  bridge.answer('checkAddress', () => fail('not-found'))
  await address.fill('stats.example/dashboard')
  await userEvent.tab()
  bridge.answer('checkAddress', () => ok(undefined))
  await screen.getByRole('button', { name: 'Try https://stats.example' }).click()
  await expect.element(address).toHaveAccessibleDescription(/service responds/)
  await expect.element(apiKey).not.toHaveAttribute('aria-invalid')
  expect(bridge.requests('connect')).toEqual([])
})

test('warns of plain http outside this computer', async () => {
  const { address } = await openConnect()
  await address.fill('http://127.0.0.1:8080')
  await expect.element(address).not.toHaveAccessibleDescription(/aren’t encrypted/)
  await address.fill('http://stats.example')
  await expect.element(address).toHaveAccessibleDescription(/aren’t encrypted/)
})

test('shows while the user types which address will be used, and errors that more text can’t fix', async () => {
  const { address } = await openConnect()
  await address.fill('stats.example')
  await expect.element(address).toHaveAccessibleDescription(/Connects to https:\/\/stats\.example\.$/)
  await address.fill('stats.example/api/v1/websites?page=1')
  await expect.element(address).toHaveAccessibleDescription(/“\/api\/v1\/websites\?page=1” is ignored/)
  await address.fill('https://stats.example')
  await expect.element(address).toHaveAccessibleDescription(/The address you use to open the service/)
  await address.fill('ada:pass@stats.example')
  await expect.element(address).toBeInvalid()
  await expect.element(address).toHaveAccessibleDescription(/enter the API key below/)
  await address.fill('stats.')
  await expect.element(address).not.toHaveAccessibleDescription(/enter the API key below/)
})

test('fills in only the address from a pasted curl example of the documentation, and Ctrl+Z undoes that', async () => {
  const { screen, address, apiKey, keys } = await openConnect()
  // The key can be cut only while the field shows it.
  await screen.getByRole('button', { name: 'Show key' }).click()
  await paste(apiKey, "curl 'https://stats.example/api/v1/account' --header 'Accept: application/json'", address)
  await expect.element(address).toHaveValue('https://stats.example/api/v1/account')
  await keys('{Control>}z{/Control}')
  await expect.element(address).toHaveValue('')
})

test.each([
  ['another service answers at it', 'not-the-service', 200],
  ['its answer may come from a web page', 'refused', 405],
] as const)('offers to try the address without its path if %s', async (_, code, status) => {
  const { bridge, screen, address, apiKey, connect } = await openConnect()
  bridge.answer('connect', () => fail(code, { status }))
  await address.fill('stats.example/dashboard')
  await apiKey.fill('k3y')
  await connect.click()
  const tryWithout = screen.getByRole('button', { name: 'Try https://stats.example', exact: true })
  await expect.element(tryWithout).toBeVisible()
  await expect.element(address).toBeInvalid()
  await expect.element(address).toHaveFocus()
  // An offer to try one address disappears when another one is typed.
  await address.fill('stats.example/dashboards')
  await expect.element(tryWithout).not.toBeInTheDocument()
  await address.fill('stats.example/dashboard')
  await connect.click()
  await tryWithout.click()
  await expect
    .poll(() => bridge.requests('connect').map((each) => each.address))
    .toEqual(['https://stats.example/dashboard', 'https://stats.example/dashboard', 'https://stats.example'])
  await expect.element(screen.getByRole('button', { name: /^Try https/ })).not.toBeInTheDocument()
})
