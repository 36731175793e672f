import { userEvent, type Locator } from 'vitest/browser'
import { expect } from 'vitest'

/** Maximum number of times that {@link tabTo} presses Tab. No dialog has more elements that Tab reaches. */
const MAX_STOPS = 60

/** Presses Tab until the control has the focus. Fails if Tab doesn't reach it. */
export async function tabTo(control: Locator): Promise<void> {
  await expect.element(control).toBeInTheDocument()
  for (let stop = 0; stop < MAX_STOPS; stop++) {
    if (document.activeElement === control.element()) return
    await userEvent.keyboard('{Tab}')
  }
  await expect.element(control).toHaveFocus()
}
