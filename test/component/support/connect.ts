import { userEvent, type Locator } from 'vitest/browser'
import { openApp } from './app.ts'
import { MemoryBridge } from './bridge.ts'
import { anAppState, websites } from './fixtures.ts'

export async function openConnect() {
  const bridge = new MemoryBridge({ websites: websites(3), state: anAppState({ connection: null, websites: 3 }) })
  const { screen, keys } = await openApp(bridge)
  return {
    bridge,
    screen,
    keys,
    address: screen.getByRole('textbox', { name: 'Service address' }),
    apiKey: screen.getByLabelText('API key', { exact: true }),
    connect: screen.getByRole('button', { name: 'Connect', exact: true }),
  }
}

/** Copies `text` with the keyboard: types it into the field `from`, cuts it, and pastes it into the field `into`. */
export async function paste(from: Locator, text: string, into: Locator): Promise<void> {
  await from.fill(text)
  await userEvent.keyboard('{Control>}a{/Control}{Control>}x{/Control}')
  await into.click()
  await userEvent.keyboard('{Control>}v{/Control}')
}
