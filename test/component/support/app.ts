import { expect } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import App from '../../../src/renderer/app/App.svelte'
import '../../../src/renderer/tokens.css'
import '../../../src/renderer/base.css'
import '../../../src/renderer/ui/input.css'
import type { World } from './answers.ts'
import { MemoryBridge } from './bridge.ts'
import { aWebsite } from './fixtures.ts'

/** Opens the whole window, with a {@link MemoryBridge} in place of main. */
export async function openApp(world: Partial<World> | MemoryBridge = {}) {
  const bridge = world instanceof MemoryBridge ? world : new MemoryBridge(world)
  const screen = await render(App, { bridge: bridge.siteward })
  screen.container.id = 'app'
  return {
    screen,
    bridge,
    keys: (keys: string) => userEvent.keyboard(keys),
    goTo: (name: string) => screen.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name }).click(),
    goToAdvancedSettings: async () => {
      await screen.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Settings' }).click()
      await screen.getByText('Advanced', { exact: true }).click()
    },
    form: () => {
      const form = screen.getByRole('form', { name: 'Website' })
      return {
        form,
        domain: form.getByRole('textbox', { name: 'Domain' }),
        privacy: (name: string) => form.getByRole('radio', { name, exact: true }),
        password: form.getByLabelText('Statistics password', { exact: true }),
        email: form.getByRole('switch', { name: 'Email reports' }),
        bots: form.getByRole('switch', { name: 'Exclude bots' }),
        ips: form.getByRole('textbox', { name: 'Excluded IP addresses' }),
        params: form.getByRole('textbox', { name: 'Excluded URL parameters' }),
        button: (name: string) => form.getByRole('button', { name, exact: true }),
        choose: async (name: string) => {
          await form.getByRole('button', { name: 'More actions' }).click()
          await screen.getByRole('menuitem', { name, exact: true }).click()
        },
      }
    },
    view: async (name: string) => {
      await screen.getByRole('button', { name: 'View', exact: true }).click()
      await screen.getByRole('menuitemradio', { name, exact: true }).click()
    },
    row: (domain: string) => screen.getByRole('button', { name: domain, exact: true }),
  }
}

export async function openWebsite(change: Parameters<typeof aWebsite>[0] = {}) {
  const website = aWebsite(change)
  const app = await openApp({ websites: [website] })
  await app.row(website.domain).click()
  await expect.element(app.form().form).toBeVisible()
  return app
}
