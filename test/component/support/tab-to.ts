import { userEvent, type Locator } from 'vitest/browser'
import { expect } from 'vitest'

/** More presses of Tab than any dialog needs. */
const MAX_STOPS = 60

/** Presses Tab until the control has the focus. Fails if the control is not reached. */
export async function tabTo(control: Locator): Promise<void> {
  await expect.element(control).toBeInTheDocument()
  for (let stop = 0; stop < MAX_STOPS; stop++) {
    if (document.activeElement === control.element()) return
    await userEvent.keyboard('{Tab}')
  }
  await expect.element(control).toHaveFocus()
}
