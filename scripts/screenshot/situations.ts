import type { Page } from 'playwright'
import { startSampleService, type SampleService } from '../../src/main/sample/service.ts'
import { t } from './texts.ts'
import { changeAll, closeEditor, press, REFUSED, showWebsites, togglePause } from './ways.ts'

export interface Situation {
  websites: number
  /** The window in CSS pixels; `scale` 2 is a text of 200 %. */
  view?: { width: number; height: number; scale: number }
  /** Runs before the app is connected. */
  prepare?: (service: SampleService) => Promise<unknown>
  /** Runs once the app has read the list. */
  happen?: (page: Page, service: SampleService) => Promise<unknown>
  /** True if the connect form is also pictured with an address, and with a wrong key. */
  connects?: boolean
  /** The themes of the pictures; by default only the light one. Both for a situation with colors that no other has. */
  themes?: readonly ('light' | 'dark')[]
  /** The only screens that are pictured in this situation; by default all. */
  shows?: readonly string[]
}

export const BOTH_THEMES = ['light', 'dark'] as const

/** The longest domain that the DNS allows, with 253 characters: three labels of 63, one of 53, and `example`. */
export const LONGEST_DOMAIN = `${['a', 'b', 'c'].map((letter) => letter.repeat(63)).join('.')}.${'d'.repeat(53)}.example`

export const situations: Record<string, Situation> = {
  empty: { websites: 0 },
  one: { websites: 1 },
  'ten-thousand': { websites: 10_000 },
  'ten-thousand-waiting': {
    websites: 10_000,
    shows: ['websites', 'pending'],
    async happen(page) {
      await togglePause(page)
      await changeAll(page)
    },
  },
  // Shows the count of remote changes, look-alike domains, and the result of a bulk edit.
  marks: {
    websites: 12,
    themes: BOTH_THEMES,
    connects: true,
    shows: ['websites', 'editor', 'pending', 'replace-key'],
    async prepare(service) {
      for (const domain of ['bücher.example', 'раураӏ.example', 'مثال.example']) await add(service, domain)
    },
    async happen(page, { store }) {
      const ids = store.all().map(({ id }) => id)
      store.update(ids.at(-4) ?? 0, { privacy: 0 })
      store.update(ids.at(-6) ?? 0, { exclude_ips: '192.0.2.1\n198.51.100.0/24' })
      store.create({ domain: 'from-elsewhere.example' })
      store.delete(ids.at(-8) ?? 0)
      await page.keyboard.press('F5')
      await page.getByText('from-elsewhere.example').first().waitFor()
      await changeAll(page)
      const sent = page.getByText(t(/all sent|changes sent/))
      await sent.first().waitFor()
      await showWebsites(page)
    },
  },
  'long-domain': { websites: 12, prepare: (service) => add(service, LONGEST_DOMAIN) },
  narrow: { websites: 428, connects: true, view: { width: 480, height: 740, scale: 1 } },
  'large-text': { websites: 428, connects: true, view: { width: 590, height: 370, scale: 2 } },
  'small-text': {
    websites: 428,
    view: { width: 1475, height: 925, scale: 0.8 },
    shows: ['websites', 'editor', 'pending', 'settings'],
  },
  offline: {
    websites: 428,
    themes: BOTH_THEMES,
    shows: ['websites', 'editor', 'presets', 'account', 'pending'],
    async happen(page, service) {
      await service.close()
      await page.keyboard.press('F5')
      await page.getByText(t(/^Offline since/)).waitFor()
    },
  },
  failed: {
    websites: 12,
    themes: BOTH_THEMES,
    shows: ['websites', 'editor', 'pending', 'resolve'],
    async happen(page) {
      await press(page, 'Add website')
      const form = page.getByRole('form', { name: t('Website') })
      await form.getByLabel(t('Domain')).fill(REFUSED)
      await press(form, 'Save')
      await page
        .getByText(t(/needs attention/))
        .first()
        .waitFor()
      await closeEditor(page)
    },
  },
}

async function add({ address, apiKey }: SampleService, domain: string): Promise<void> {
  const answer = await fetch(`${address}/api/v1/websites`, {
    method: 'POST',
    headers: { Accept: 'application/json', Authorization: `Bearer ${apiKey}` },
    body: new URLSearchParams({ domain: new URL(`http://${domain}`).hostname, privacy: '1' }),
  })
  if (!answer.ok) throw new Error(`The sample service refused ${domain}: ${await answer.text()}`)
}

/** Starts a sample service whose rate limit delays no picture. */
export const startService = ({ websites }: Pick<Situation, 'websites'>): Promise<SampleService> =>
  startSampleService({ websites, rate: 6000 })
