import { afterEach, describe, expect, test } from 'vitest'
import { cleanup } from 'vitest-browser-svelte'
import { isolateText, revealHidden } from '../../src/shared/display/visible.ts'
import { fail, ok } from '../../src/shared/result.ts'
import { openApp } from './support/app.ts'
import { MemoryBridge } from './support/bridge.ts'
import { aConflict, aConnection, aHistoryEntry, anAppState, anEdit, aParked, aWebsite } from './support/fixtures.ts'

/** A text that a host may send. As markup, it would run a script and show a bold word. */
const MARKUP = '<img src=x onerror="window.broken=1"><b>bold</b>'
/** The right-to-left override: the characters after it are shown in reverse order. */
const RLO = '\u202e'
/** A zero-width space, which is invisible. */
const ZERO_WIDTH = '\u200b'

afterEach(async () => {
  await cleanup()
  Reflect.deleteProperty(window, 'broken')
})

describe('invisible characters and control characters', () => {
  test.each([
    ['gnp.exe\u202egpj', 'gnp.exe⟨U+202E⟩gpj'],
    ['a\u200bb\u2060c\ufeffd\u00ade', 'a⟨U+200B⟩b⟨U+2060⟩c⟨U+FEFF⟩d⟨U+00AD⟩e'],
    ['\u2066a\u2069\u200f\u061c', '⟨U+2066⟩a⟨U+2069⟩⟨U+200F⟩⟨U+061C⟩'],
    ['nul\u0000 esc\u001b[31m c1\u0085', 'nul⟨U+0000⟩ esc⟨U+001B⟩[31m c1⟨U+0085⟩'],
    ['two\r\nlines', 'two⏎lines'],
    ['blank\u3164\u2800', 'blank⟨U+3164⟩⟨U+2800⟩'],
    ['half \ud83d', 'half ⟨U+D83D⟩'],
    ['tag\u{e0041}', 'tag⟨U+E0041⟩'],
  ])('shows %j as %s', (text, shown) => {
    expect(revealHidden(text)).toBe(shown)
  })

  test.each(['bücher.example', '❤️ Łódź, 東京, مثال', 'a.example', 'tab-free & <plain>'])(
    'leaves %s unchanged',
    (text) => {
      expect(revealHidden(text)).toBe(text)
    },
  )

  test('a right-to-left name does not change the direction of the sentence around it', () => {
    expect(isolateText('مثال.example')).toBe('\u2068مثال.example\u2069')
    expect(isolateText('a.example')).toBe('a.example')
  })
})

test('a right-to-left name does not change the direction of the text around it on a screen', async () => {
  const { screen } = await openApp({ state: anAppState({ connection: aConnection({ name: 'مثال' }) }) })
  const shown = screen.getByText('مثال').first()
  await expect.element(shown).toBeVisible()
  expect(getComputedStyle(shown.element()).unicodeBidi).toBe('isolate')
})

const worldOf = (evil: string) => {
  const lists = { exclude_ips: [evil], exclude_params: [`a ${evil}`] }
  const request = { method: 'PUT', path: `/api/v1/websites/${evil}`, form: [['exclude_ips', evil] as [string, string]] }
  const error = { code: 'invalid' as const, message: evil, fields: { domain: [evil], [evil]: [evil] } }
  return {
    state: anAppState({
      connection: aConnection({ name: evil }),
      problem: { code: 'storage' as const, message: evil },
      parked: 1,
    }),
    websites: [
      aWebsite({
        domain: `${evil}.example`,
        id: evil,
        created_at: evil,
        updated_at: evil,
        exclude_ips: [evil],
        extra: { note: evil, [evil]: { [evil]: [evil] } },
        state: 'parked',
      }),
    ],
    edits: [
      anEdit({
        website: 'w1',
        domain: `${evil}.example`,
        state: 'parked',
        reason: 'refused',
        error,
        request,
        settings: lists,
      }),
      aParked({
        domain: evil,
        website: 'w2',
        conflict: aConflict({ base: lists, theirs: { exclude_ips: [`theirs ${evil}`] }, mine: lists }),
      }),
    ],
    history: [aHistoryEntry({ domain: evil, settings: lists, before: lists, overwritten: lists, ignored: lists })],
    account: {
      account: {
        name: evil,
        email: evil,
        avatar_url: evil,
        created_at: evil,
        plan: { name: evil, features: { [evil]: evil, pageviews: evil, Pageviews: 1 }, extra: { [evil]: evil } },
        extra: { [evil]: evil },
      },
      seenAt: 0,
    },
  }
}

/** Returns all texts of the page, including attributes that a screen reader reads out. */
const everything = (): string => {
  const texts = [...document.querySelectorAll<HTMLElement>('*')].flatMap((element) =>
    ['title', 'aria-label', 'placeholder', 'value'].map((name) => element.getAttribute(name) ?? ''),
  )
  const typed = [...document.querySelectorAll('input')].map(({ value }) => value)
  return [document.body.innerText, ...texts, ...typed].join('\n')
}

describe.each([
  ['markup', MARKUP],
  ['invisible characters', `x${RLO}y${ZERO_WIDTH}z`],
])('text from the service that contains %s', (_what, evil) => {
  async function throughTheScreens(look: () => void): Promise<void> {
    const { screen, bridge, goTo, row, form } = await openApp(worldOf(evil))
    await row(revealHidden(`${evil}.example`)).click()
    await expect.element(screen.getByRole('form', { name: 'Website' })).toBeVisible()
    look()
    await form().choose('Delete…')
    await expect.element(screen.getByRole('alertdialog')).toBeVisible()
    look()
    await screen.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
    await goTo('Pending')
    await expect.element(screen.getByRole('heading', { name: revealHidden(evil), exact: true })).toBeVisible()
    for (const summary of document.querySelectorAll<HTMLElement>('main summary, main [aria-expanded="false"]'))
      summary.click()
    look()
    await goTo('Activity')
    await expect.element(screen.getByRole('heading', { name: revealHidden(evil), exact: true })).toBeVisible()
    for (const summary of document.querySelectorAll<HTMLElement>('main summary, main [aria-expanded="false"]'))
      summary.click()
    look()
    await goTo('Pending')
    const error = { code: 'invalid' as const, message: evil, fields: { [evil]: [evil] } }
    bridge.answer('finishImport', () => ok({ added: 0, skipped: 0, parked: 1, refused: [{ domain: evil, error }] }))
    bridge.answer('importEdits', () => ok({ creates: 0, updates: 0, deletes: [evil], published: 0 }))
    await screen.getByRole('button', { name: 'Import…', exact: true }).click()
    await expect.element(screen.getByText('Websites to be deleted:')).toBeVisible()
    look()
    await screen.getByRole('button', { name: 'Import changes' }).click()
    await expect.element(screen.getByText('Import finished')).toBeVisible()
    look()
    await goTo('Account')
    await expect.element(screen.getByText('Other details from the service')).toBeVisible()
    look()
  }

  test('creates no element, runs no script and leaves no invisible character on any screen', async () => {
    let seen = 0
    await throughTheScreens(() => {
      if (evil === MARKUP) expect(document.body.innerText).toContain('<img src=x onerror')
      expect(document.querySelectorAll('img[src="x"], #app b > b').length).toBe(0)
      expect(document.body.innerHTML).not.toContain('<b>bold')
      expect(
        everything()
          .split('\n')
          .filter((line) => /[\u202e\u200b]/.test(line)),
      ).toEqual([])
      seen += 1
    })
    expect(seen).toBe(7)
    expect('broken' in window).toBe(false)
  })
})

test.each([MARKUP, `x${RLO}y${ZERO_WIDTH}z`])('shows the answer of a host to a connect as text: %s', async (evil) => {
  const bridge = new MemoryBridge({ state: anAppState({ connection: null }) })
  bridge.answer('connect', () => fail('invalid', { message: evil, fields: { [evil]: [evil] }, status: 422 }))
  const { screen } = await openApp(bridge)
  await screen.getByRole('textbox', { name: 'Service address' }).fill('stats.example')
  await screen.getByLabelText('API key', { exact: true }).fill('k3y-of-ada')
  await screen.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect.poll(() => screen.getByRole('alert').element().textContent).toContain(revealHidden(evil))
  expect(everything()).not.toMatch(/[\u202e\u200b]/)
  expect(document.querySelectorAll('img[src="x"]').length).toBe(0)
  expect('broken' in window).toBe(false)
})

test('keeps hidden characters in a list, and warns the user of them', async () => {
  const { form, row, screen } = await openApp({ websites: [aWebsite({ exclude_params: [`utm${ZERO_WIDTH}source`] })] })
  await row('kestrel-press.example').click()
  await expect.element(form().params).toHaveValue(`utm${ZERO_WIDTH}source`)
  await expect.element(screen.getByText(/“utm⟨U.200B⟩source”/), { timeout: 3000 }).toBeVisible()
})
