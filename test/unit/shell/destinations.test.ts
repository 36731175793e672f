import { expect, test, vi } from 'vitest'
import { createGoToAccount } from '../../../src/main/shell/destinations.ts'
import type { Connections } from '../../../src/main/connection/ports.ts'
import { fail, ok } from '../../../src/shared/result.ts'
import { aConnection } from '../../component/support/fixtures.ts'

/** Returns what a click on a notification of an account does. The account `a` is shown, and `b` can be opened or not. */
async function click(account: string, canOpen = true) {
  const [goTo, open] = [vi.fn(), vi.fn()]
  const switchTo = vi.fn(async () => (canOpen ? ok(aConnection({ id: 'b' })) : fail('storage')))
  const active = () => ({ record: { id: 'a' } }) as ReturnType<Connections['active']>
  await createGoToAccount({ active, switchTo }, { goTo }, open)(account, { to: 'search' })
  return { goTo, open, switchTo }
}

test('shows the destination in its account', async () => {
  const shown = await click('a')
  expect(shown.switchTo).not.toHaveBeenCalled()
  expect(shown.goTo).toHaveBeenCalledWith({ to: 'search' })
  const other = await click('b')
  expect(other.switchTo).toHaveBeenCalledWith('b')
  expect(other.goTo).toHaveBeenCalledWith({ to: 'search' })
})

test('only opens the window if the account can’t be shown', async () => {
  const { goTo, open } = await click('b', false)
  expect(goTo).not.toHaveBeenCalled()
  expect(open).toHaveBeenCalledOnce()
})
