// @ts-check
/** What there is to be seen of the same screens: by the websites that there are, the window, and what goes wrong. */
import { startSampleService } from '../../src/main/sample/service.ts'
import { changeAll, closeEditor, goTo, REFUSED, showWebsites } from './ways.mjs'

/** @typedef {import('playwright').Page} Page */
/** @typedef {import('../../src/main/sample/service.ts').SampleService} SampleService */

/**
 * @typedef {object} Situation
 * @property {number} websites
 * @property {{ width: number, height: number, scale: number }} [view] CSS pixels; `scale` 2: a text of 200 %
 * @property {(service: SampleService) => Promise<unknown>} [prepare] before the app is connected
 * @property {(page: Page, service: SampleService) => Promise<unknown>} [happen] when it is, and the list is read
 * @property {true} [connects] also what the way to a service looks like
 * @property {readonly ('light' | 'dark')[]} [themes] dark too where something has colours that aren't on every screen
 * @property {readonly string[]} [shows] the only screens on which it can be seen
 */

export const BOTH = /** @type {const} */ (['light', 'dark'])

/** As long as a name in the DNS can be: labels of 63, and one of 61. */
export const LONG = `${['a', 'b', 'c'].map((letter) => letter.repeat(63)).join('.')}.${'d'.repeat(53)}.example`

/** @type {Record<string, Situation>} */
export const situations = {
  empty: { websites: 0 },
  one: { websites: 1 },
  'ten-thousand': { websites: 10_000 },
  'ten-thousand-waiting': {
    websites: 10_000,
    shows: ['websites', 'pending'],
    happen: async (page) => {
      await goTo(page, 'Settings')
      await page.getByRole('switch', { name: 'Pause sending' }).click()
      await changeAll(page)
    },
  },
  // What others did, what may be taken for another domain, what was done to many.
  marks: {
    websites: 12,
    themes: BOTH,
    connects: true,
    shows: ['websites', 'editor', 'pending', 'replace-key'],
    prepare: async (service) => {
      for (const domain of ['bücher.example', 'раураӏ.example', 'مثال.example']) await add(service, domain)
    },
    happen: async (page, { store }) => {
      const ids = store.all().map(({ id }) => id)
      store.update(ids.at(-4) ?? 0, { privacy: 0 })
      store.update(ids.at(-6) ?? 0, { exclude_ips: '192.0.2.1\n198.51.100.0/24' })
      store.create({ domain: 'from-elsewhere.example' })
      store.delete(ids.at(-8) ?? 0)
      await page.keyboard.press('F5')
      await page.getByText(/new or changed elsewhere/).waitFor()
      await changeAll(page)
      await page
        .getByText(/all sent|were sent/)
        .first()
        .waitFor()
      await showWebsites(page)
    },
  },
  'long-domain': { websites: 12, prepare: (service) => add(service, LONG) },
  narrow: { websites: 428, connects: true, view: { width: 480, height: 740, scale: 1 } },
  'large-text': { websites: 428, connects: true, view: { width: 590, height: 370, scale: 2 } },
  'small-text': {
    websites: 428,
    view: { width: 1475, height: 925, scale: 0.8 },
    shows: ['websites', 'editor', 'pending', 'settings'],
  },
  offline: {
    websites: 428,
    themes: BOTH,
    shows: ['websites', 'editor', 'profiles', 'account', 'pending'],
    happen: async (page, service) => {
      await service.close()
      await page.keyboard.press('F5')
      await page.getByText(/^Offline since/).waitFor()
    },
  },
  failed: {
    websites: 12,
    themes: BOTH,
    shows: ['websites', 'editor', 'pending', 'resolve'],
    happen: async (page) => {
      await page.getByRole('button', { name: 'Add website' }).first().click()
      const form = page.getByRole('form', { name: 'Website' })
      await form.getByLabel('Domain').fill(REFUSED)
      await form.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('needs you').first().waitFor()
      await closeEditor(page)
    },
  },
}

/**
 * @param {SampleService} service
 * @param {string} domain
 */
async function add({ address, apiKey }, domain) {
  const answer = await fetch(`${address}/api/v1/websites`, {
    method: 'POST',
    headers: { Accept: 'application/json', Authorization: `Bearer ${apiKey}` },
    body: new URLSearchParams({ domain: new URL(`http://${domain}`).hostname, privacy: '1' }),
  })
  if (!answer.ok) throw new Error(`the sample service refused ${domain}: ${await answer.text()}`)
}

/** @param {Situation} situation */
export const startService = ({ websites }) => startSampleService({ websites, rate: 6000 })
