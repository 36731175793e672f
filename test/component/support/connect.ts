import { userEvent, type Locator } from 'vitest/browser'
import { openApp } from './app.ts'
import { MemoryBridge } from './bridge.ts'
import { anAppState, websites } from './fixtures.ts'

/** The connect form, before anything is connected. */
export async function openConnect() {
  const far = new MemoryBridge({ websites: websites(3), state: anAppState({ connection: null, websites: 3 }) })
  const { screen, keys } = await openApp(far)
  return {
    far,
    screen,
    keys,
    address: screen.getByRole('textbox', { name: 'Service address' }),
    apiKey: screen.getByLabelText('API key', { exact: true }),
    connect: screen.getByRole('button', { name: 'Connect', exact: true }),
  }
}

/** Puts a text on the clipboard out of a field, and pastes it into another one. */
export async function paste(from: Locator, text: string, into: Locator): Promise<void> {
  await from.fill(text)
  await userEvent.keyboard('{Control>}a{/Control}{Control>}x{/Control}')
  await into.click()
  await userEvent.keyboard('{Control>}v{/Control}')
}
