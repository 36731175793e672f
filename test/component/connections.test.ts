import { page } from 'vitest/browser'
import { beforeEach, describe, expect, test } from 'vitest'
import type { FormDrafts } from '../../src/shared/form-draft.ts'
import { defaultSettings } from '../../src/shared/state.ts'
import { fail, ok } from '../../src/shared/result.ts'
import type { Tag } from '../../src/shared/local-data.ts'
import type { WebsiteView } from '../../src/shared/website.ts'
import { openApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { MemoryBridge } from './support/bridge.ts'
import { aConnection, anAppState, anEdit, websites } from './support/fixtures.ts'
import { expectOnePrimary } from './support/primary.ts'

beforeEach(() => page.viewport(1180, 740))

const others = [{ address: 'https://stats.studio.example', name: 'Studio Nord' }]

test('asks about unsaved input before switching to another connection', async () => {
  const { screen, bridge, form, goTo } = await openApp({
    websites: websites(1),
    state: anAppState({ others, websites: 1 }),
  })
  await screen.getByRole('button', { name: 'Add website' }).click()
  await form().domain.fill('half-typed.exam')
  await goTo('Settings')
  await screen.getByRole('button', { name: 'Switch to Studio Nord' }).click()
  const question = screen.getByRole('alertdialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Keep editing' }).click()
  expect(bridge.requests('switchConnection')).toEqual([])
  await screen.getByRole('button', { name: 'Switch to Studio Nord' }).click()
  await question.getByRole('button', { name: 'Leave without saving' }).click()
  await expect.poll(() => bridge.requests('switchConnection')).toEqual([{ id: 'other-0' }])
})

test('asks about a typed key and a typed name before another account is shown or added', async () => {
  const { screen, bridge, keys, goTo } = await openApp({ state: anAppState({ others }) })
  const question = screen.getByRole('alertdialog', { name: 'Leave without saving?' })
  await goTo('Account')
  await screen.getByRole('button', { name: 'Replace API key…' }).click()
  await screen.getByLabelText('API key', { exact: true }).fill('k3y-of-ada')
  await keys('{Control>}{Alt>}2{/Alt}{/Control}')
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect.element(screen.getByLabelText('API key', { exact: true })).toHaveValue('k3y-of-ada')
  expect(bridge.requests('switchConnection')).toEqual([])

  await goTo('Settings')
  await screen.getByRole('button', { name: 'Rename Studio Nord…' }).click()
  await screen.getByRole('textbox', { name: 'Name' }).fill('Studio Nordwest')
  await screen.getByRole('button', { name: 'Add account…' }).click()
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect.element(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('Studio Nordwest')
  await keys('{Control>}{Alt>}2{/Alt}{/Control}')
  await question.getByRole('button', { name: 'Leave without saving' }).click()
  await expect.poll(() => bridge.requests('switchConnection')).toEqual([{ id: 'other-0' }])
})

test('asks nothing before the form for the key of the shown account opens, because its unsaved text stays', async () => {
  const { screen, form, goTo } = await openApp({
    websites: websites(1),
    state: anAppState({ connection: aConnection({ key: 'missing' }), websites: 1 }),
  })
  await screen.getByRole('button', { name: 'Add website' }).click()
  await form().domain.fill('half-typed.exam')
  await goTo('Settings')
  await screen.getByRole('button', { name: 'Enter API key for Northwind Agency' }).click()
  await expect.element(screen.getByLabelText('API key', { exact: true })).toBeVisible()
  await expect.element(screen.getByRole('alertdialog')).not.toBeInTheDocument()
  await goTo('Websites')
  await expect.element(form().domain).toHaveValue('half-typed.exam')
})

test.each([
  [true, 'The API key for Northwind Agency was accepted.'],
  [false, /^Couldn’t use the API key for Northwind Agency\. .*rejected/],
])(
  'names the account whose new key was checked if another account is shown when the answer arrives (accepted: %s)',
  async (isTaken, text) => {
    const { screen, bridge, goTo } = await openApp({ state: anAppState({ others }) })
    let answer = (): void => undefined
    bridge.answer(
      'replaceKey',
      () => new Promise((resolve) => (answer = () => resolve(isTaken ? ok(aConnection()) : fail('unauthenticated')))),
    )
    const open = async () => {
      await goTo('Account')
      await screen.getByRole('button', { name: 'Replace API key…' }).click()
    }
    const apiKey = screen.getByLabelText('API key', { exact: true })
    await open()
    await apiKey.fill('k3y-of-ada')
    await screen.getByRole('button', { name: 'Use this key' }).click()
    await expect.poll(() => bridge.requests('replaceKey')).toHaveLength(1)
    bridge.setState({ connection: aConnection({ id: 'other-0', name: 'Studio Nord' }) })
    await expect.element(screen.getByRole('banner')).toMatchTextContent(/Studio Nord/)
    await open()
    await expect.element(apiKey).toBeVisible()
    answer()
    await expect.element(screen.getByText(text)).toBeVisible()
    await expect.element(apiKey).toBeVisible()
  },
)

test('does not blame the service if the app itself refuses another try to replace the API key', async () => {
  const { screen, bridge, goTo } = await openApp({})
  bridge.answer('replaceKey', () => fail('rate-limited', { retryAfter: 5 }))
  await goTo('Account')
  await screen.getByRole('button', { name: 'Replace API key…' }).click()
  await screen.getByLabelText('API key', { exact: true }).fill('k3y-of-ada')
  await screen.getByRole('button', { name: 'Use this key' }).click()
  await expect
    .element(screen.getByRole('alert'))
    .toMatchTextContent(/^Too many requests.*Wait 5\ssec, then try again\./)
})

test('asks about unsaved input before the account is disconnected or removed', async () => {
  const { screen, bridge, form, goTo } = await openApp({
    websites: websites(1),
    state: anAppState({ others, websites: 1 }),
  })
  await screen.getByRole('button', { name: 'Add website' }).click()
  await form().domain.fill('half-typed.exam')
  const question = screen.getByRole('alertdialog', { name: 'Leave without saving?' })
  await goTo('Account')
  await screen.getByRole('button', { name: 'Disconnect…' }).click()
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect.element(screen.getByRole('alertdialog')).not.toBeInTheDocument()

  await goTo('Settings')
  await screen.getByRole('button', { name: 'Remove Studio Nord…' }).click()
  const removal = screen.getByRole('alertdialog', { name: 'Remove Studio Nord?' })
  await removal.getByRole('button', { name: 'Cancel' }).click()
  await screen.getByRole('button', { name: 'Remove Northwind Agency…' }).click()
  await question.getByRole('button', { name: 'Leave without saving' }).click()
  await screen.getByRole('alertdialog', { name: 'Remove Northwind Agency?' }).getByText('Cancel').click()
  expect(bridge.requests('removeConnection')).toEqual([])
  await goTo('Websites')
  await expect.element(form().domain).toHaveValue('half-typed.exam')
})

describe('with restored drafts of several websites', () => {
  const [first, second, third, same] = websites(4)
  const draft = (website: WebsiteView | undefined, exclude_ips: string) => ({
    ...{ website: website?.key ?? '', typed: { exclude_ips }, seen: {}, cleared: [] },
  })

  /** Opens Settings. The form of the third website is open, and `aside` are the unsaved drafts of other websites. */
  async function opened(aside: ReturnType<typeof draft>[]) {
    const list = {
      ...({ search: '', sortBy: 'id', sort: 'desc', perPage: 'all', page: 1, active: 0, top: 0 } as const),
      chosen: { all: false, keys: [] },
    }
    const bridge = new MemoryBridge({ websites: websites(4), state: anAppState({ others, websites: 4 }) })
    bridge.world.formDrafts = { account: 'northwind', form: draft(third, '192.0.2.3'), aside, list, held: false }
    const app = await openApp(bridge)
    await expect.element(app.form().ips).toHaveValue('192.0.2.3')
    return {
      ...app,
      leave: async () => {
        await app.goTo('Settings')
        await app.screen.getByRole('button', { name: 'Switch to Studio Nord' }).click()
      },
      question: app.screen.getByRole('alertdialog', { name: 'Leave without saving?' }),
      saved: () => bridge.requests('updateWebsite').map(({ key }) => key),
    }
  }

  test('the question before another account is shown counts the drafts, and its Save leads to the next draft', async () => {
    const unchanged = draft(same, same?.exclude_ips?.join('\n') ?? '')
    const aside = [draft(first, '192.0.2.1'), draft(second, '192.0.2.2'), unchanged]
    const { bridge, form, goTo, leave, question, saved } = await opened(aside)
    await leave()
    await expect
      .element(question.getByText('Your changes will be lost. Unsaved changes to 2 other websites will be lost too.'))
      .toBeVisible()
    await question.getByRole('button', { name: 'Save' }).click()
    await expect.element(question.getByText(/ Unsaved changes to 1 other website will be lost too\.$/)).toBeVisible()
    await question.getByRole('button', { name: 'Keep editing' }).click()
    expect(bridge.requests('switchConnection')).toEqual([])
    await goTo('Websites')
    await expect.element(form().ips).toHaveValue('192.0.2.2')
    await leave()
    await question.getByRole('button', { name: 'Save' }).click()
    await expect.element(question.getByText('Your changes will be lost.', { exact: true })).toBeVisible()
    await question.getByRole('button', { name: 'Leave without saving' }).click()
    await expect.poll(() => bridge.requests('switchConnection')).toEqual([{ id: 'other-0' }])
    expect(saved()).toEqual([third?.key, second?.key])
  })

  test('Save in the question before another account is shown sends the value that the user saw when they typed the draft, although the website has changed since', async () => {
    const aside = { ...draft(first, '192.0.2.1'), seen: { exclude_ips: first?.exclude_ips ?? [] } }
    const { bridge, form, goTo, leave, question } = await opened([aside])
    await goTo('Websites')
    await form().button('Cancel').click()
    const changed = { ...first, exclude_ips: ['198.51.100.1'] } as WebsiteView
    bridge.world.websites = bridge.world.websites.map((one) => (one.key === first?.key ? changed : one))
    bridge.emit('websitesChanged', { keys: [first?.key ?? ''] })
    await leave()
    await question.getByRole('button', { name: 'Save' }).click()
    const { key, seen } = { key: first?.key, seen: aside.seen }
    await expect
      .poll(() => bridge.requests('updateWebsite'))
      .toMatchObject([{ key, changes: { exclude_ips: ['192.0.2.1'] }, seen }])
  })

  test('the question about the next draft waits for a save in progress', async () => {
    const { bridge, form, leave, question, saved } = await opened([draft(first, '192.0.2.1')])
    let answer = (): void => undefined
    const slow = new Promise<void>((resolve) => (answer = resolve))
    bridge.answer('updateWebsite', () =>
      slow.then(() => ok({ ...websites(3)[2], exclude_ips: ['192.0.2.3'] } as WebsiteView)),
    )
    await form().button('Save').click()
    await leave()
    await expect.poll(saved).toEqual([third?.key])
    await expect.element(question).not.toBeInTheDocument()
    answer()
    await expect.element(question.getByText('Your changes will be lost.', { exact: true })).toBeVisible()
    expect(bridge.requests('switchConnection')).toEqual([])
  })
})

describe('restores unsaved text', () => {
  const [website, other] = websites(2)
  const place = { search: '', sortBy: 'id', sort: 'desc', perPage: 'all', page: 1, active: 0, top: 0 } as const
  const form = { website: website?.key ?? '', typed: { exclude_ips: '192.0.2.1' }, seen: {}, cleared: [] }
  const drafts: FormDrafts = {
    account: 'northwind',
    form,
    list: { ...place, chosen: { all: false, keys: [] } },
    held: false,
  }
  const kept = (bridge: MemoryBridge) => bridge.requests('keepFormDrafts').at(-1)

  test('of an account that could not be opened at the start, once it is shown', async () => {
    const bridge = new MemoryBridge({ websites: websites(2), state: anAppState({ connection: null }) })
    bridge.answer('getFormDrafts', () => ok(bridge.world.state.connection === null ? null : drafts))
    const app = await openApp(bridge)
    await expect.poll(() => kept(bridge)?.held).toBe(true)
    bridge.setState({ connection: aConnection() })
    await expect.element(app.form().ips).toHaveValue('192.0.2.1')
    await expect.poll(() => kept(bridge)?.form).toMatchObject(form)
  })

  test('when its website is opened, although the user had opened another website before the text was read', async () => {
    const bridge = new MemoryBridge({ websites: websites(2) })
    let answer = (): void => undefined
    const read = new Promise<void>((resolve) => (answer = resolve))
    bridge.answer('getFormDrafts', () => read.then(() => ok(drafts)))
    const app = await openApp(bridge)
    await app.row(other?.domain ?? '').click()
    await expect.element(app.form().form).toBeVisible()
    answer()
    await expect.poll(() => kept(bridge)?.aside).toMatchObject([form])
    await app.row(website?.domain ?? '').click()
    await expect.element(app.form().ips).toHaveValue('192.0.2.1')
  })
})

test('switches to another account, and opens the form for a new one, without a question about pending changes', async () => {
  const { screen, bridge, goTo } = await openApp({ edits: [anEdit({})], state: anAppState({ others, waiting: 1 }) })
  await goTo('Settings')
  await screen.getByRole('button', { name: 'Switch to Studio Nord' }).click()
  await expect.poll(() => bridge.requests('switchConnection')).toEqual([{ id: 'other-0' }])
  await screen.getByRole('button', { name: 'Add account…' }).click()
  await expect.element(screen.getByLabelText('Service address')).toBeVisible()
})

test('lets the user switch to another account while one is still opening, and does not show a later error of that one', async () => {
  const more = { name: 'Garden', address: 'https://garden.example' }
  const { screen, bridge, goTo } = await openApp({ state: anAppState({ others: [...others, more] }) })
  let answer = () => {}
  const slow = new Promise<void>((resolve) => (answer = resolve))
  bridge.answer('switchConnection', ({ id }) =>
    id === 'other-0' ? slow.then(() => fail('no-connection')) : fail('in-use'),
  )
  await goTo('Settings')
  await screen.getByRole('button', { name: 'Switch to Studio Nord' }).click()
  await screen.getByRole('button', { name: 'Switch to Garden' }).click()
  const error = screen.getByText('Another app is using Siteward’s data.')
  await expect.element(error).toBeVisible()
  answer()
  await slow
  await expect.poll(() => bridge.requests('switchConnection')).toEqual([{ id: 'other-0' }, { id: 'other-1' }])
  await expect.element(error).toBeVisible()
})

describe('while the chosen account is still opening,', () => {
  /** Chooses the second account by keyboard. Main shows it when `open` is called, unless the window has canceled the switch. */
  async function choosing() {
    const app = await openApp({ websites: websites(1), state: anAppState({ others, websites: 1 }) })
    const { bridge } = app
    let open = (): void => undefined
    const slow = new Promise<void>((resolve) => (open = resolve))
    bridge.answer('switchConnection', async ({ id }) => {
      await slow
      if (bridge.requests('cancelConnect').length > 0) return fail('no-connection')
      const connection = aConnection({ id, name: 'Studio Nord' })
      bridge.setState({ connection })
      return ok(connection)
    })
    await expect.element(app.row(websites(1)[0]?.domain ?? '')).toBeVisible()
    await app.keys('{Control>}{Alt>}2{/Alt}{/Control}')
    await expect.poll(() => bridge.requests('switchConnection')).toEqual([{ id: 'other-0' }])
    return {
      ...app,
      open,
      toast: app.screen.getByText('The switch to Studio Nord was canceled so that your unsaved text isn’t lost.'),
    }
  }

  test('text that the user types in the editor stays, and the switch is canceled', async () => {
    const { row, form, open, toast } = await choosing()
    await row(websites(1)[0]?.domain ?? '').click()
    await form().ips.fill('192.0.2.1')
    await expect.element(toast).toBeVisible()
    open()
    await expect.element(form().ips).toHaveValue('192.0.2.1')
  })

  test('a list of websites that the user types stays, and the switch is canceled', async () => {
    const { screen, keys, open, toast } = await choosing()
    await keys('{Control>}{Shift>}n{/Shift}{/Control}')
    const list = screen.getByRole('dialog', { name: 'Add multiple websites' }).getByRole('textbox').first()
    await list.fill('one.example')
    await expect.element(toast).toBeInTheDocument()
    open()
    await expect.element(list).toHaveValue('one.example')
  })

  test('choosing the shown account again cancels the switch', async () => {
    const { screen, bridge, keys, open, toast } = await choosing()
    await keys('{Control>}{Alt>}1{/Alt}{/Control}')
    await expect.poll(() => bridge.requests('cancelConnect')).toHaveLength(1)
    open()
    await expect.element(screen.getByRole('banner')).toMatchTextContent(/Northwind Agency/)
    await expect.element(toast).not.toBeInTheDocument()
  })

  test('the form for the key of the shown account cancels the switch', async () => {
    const { screen, bridge, goTo, open } = await choosing()
    bridge.setState({ connection: aConnection({ key: 'missing' }) })
    await goTo('Settings')
    await screen.getByRole('button', { name: 'Enter API key for Northwind Agency' }).click()
    await expect.poll(() => bridge.requests('cancelConnect')).toHaveLength(1)
    open()
    await expect.element(screen.getByRole('banner')).toMatchTextContent(/Northwind Agency/)
    await expect.element(screen.getByLabelText('API key', { exact: true })).toBeVisible()
  })

  test('a website that is opened without typing does not cancel the switch', async () => {
    const { screen, row, form, open } = await choosing()
    await row(websites(1)[0]?.domain ?? '').click()
    await expect.element(form().form).toBeVisible()
    open()
    await expect.element(screen.getByRole('banner')).toMatchTextContent(/Studio Nord/)
  })
})

test('says on any screen why the switch to another account failed', async () => {
  const { screen, bridge, keys, goTo } = await openApp({ state: anAppState({ others }) })
  bridge.answer('switchConnection', () => fail('in-use'))
  await goTo('Pending')
  await keys('{Control>}{Alt>}2{/Alt}{/Control}')
  const toasts = screen.getByRole('region', { name: 'Messages' })
  await expect.element(toasts.getByText(/^Another app is using Siteward’s data\./)).toBeVisible()
})

test('offers the other accounts while the shown one takes long to open', async () => {
  const bridge = new MemoryBridge({ state: anAppState({ connection: null, others }) })
  bridge.answer('listConnections', () => new Promise(() => undefined))
  const { screen } = await openApp(bridge)
  await screen.getByRole('button', { name: 'Open Studio Nord' }).click()
  await expect.poll(() => bridge.requests('switchConnection')).toEqual([{ id: 'other-0' }])
})

test('an account that opens by itself closes neither the form for another account with its typed key nor an open question', async () => {
  const bridge = new MemoryBridge({ websites: websites(1), state: anAppState({ connection: null, others }) })
  const { screen } = await openApp(bridge)
  const apiKey = screen.getByLabelText('API key', { exact: true })
  await apiKey.fill('k3y-of-ada')
  bridge.leadTo({ to: 'quit' })
  const question = screen.getByRole('alertdialog', { name: 'Leave without saving?' })
  await expect.element(question).toBeVisible()
  bridge.setState({ connection: aConnection() })
  await expect.element(screen.getByRole('heading', { name: 'Add account' })).toBeVisible()
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect.element(apiKey).toHaveValue('k3y-of-ada')
  await screen.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(screen.getByRole('grid', { name: 'Websites' })).toBeVisible()
})

describe('with a typed key on the first screen,', () => {
  /** Opens the connect form with a typed key. As in the app, the new state arrives after the answer. */
  async function typed() {
    const bridge = new MemoryBridge({ state: anAppState({ connection: null, others }) })
    const follow = (connection: ReturnType<typeof aConnection>) => {
      bridge.world.state = { ...bridge.world.state, connection }
      setTimeout(() => bridge.setState({ connection }))
      return ok(connection)
    }
    bridge.answer('switchConnection', ({ id }) => follow(aConnection({ id, name: 'Studio Nord' })))
    bridge.answer('trySample', () => follow(aConnection({ sample: true })))
    const { screen } = await openApp(bridge)
    const apiKey = screen.getByLabelText('API key', { exact: true })
    await apiKey.fill('k3y-of-ada')
    return { bridge, screen, apiKey, question: screen.getByRole('alertdialog', { name: 'Leave without saving?' }) }
  }

  test('asks before a saved account is opened', async () => {
    const { screen, bridge, apiKey, question } = await typed()
    const open = screen.getByRole('button', { name: 'Open Studio Nord' })
    await open.click()
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await expect.element(apiKey).toHaveValue('k3y-of-ada')
    expect(bridge.requests('switchConnection')).toEqual([])
    await open.click()
    await question.getByRole('button', { name: 'Leave without saving' }).click()
    await expect.element(screen.getByRole('banner')).toMatchTextContent(/Studio Nord/)
  })

  test('asks only once before a notification leads to a saved account', async () => {
    const { screen, bridge, question } = await typed()
    bridge.leadTo({ to: 'screen', screen: 'pending', account: 'other-0' })
    await question.getByRole('button', { name: 'Leave without saving' }).click()
    await expect.element(screen.getByRole('heading', { level: 1, name: 'Pending changes' })).toBeVisible()
    await expect.element(question).not.toBeInTheDocument()
  })

  test('shows the saved account, even if it opens by itself before the question is answered', async () => {
    const { screen, bridge, question } = await typed()
    await screen.getByRole('button', { name: 'Open Studio Nord' }).click()
    await expect.element(question).toBeVisible()
    bridge.setState({ connection: aConnection({ id: 'other-0', name: 'Studio Nord' }) })
    await expect.element(screen.getByRole('heading', { name: 'Add account' })).toBeVisible()
    await question.getByRole('button', { name: 'Leave without saving' }).click()
    await expect.element(screen.getByRole('banner')).toMatchTextContent(/Studio Nord/)
    expect(bridge.requests('switchConnection')).toEqual([])
  })

  test('shows no error of a connect that ends because a saved account is opened', async () => {
    const { screen, bridge, question } = await typed()
    const answer = Promise.withResolvers<ReturnType<typeof fail>>()
    bridge.answer('connect', () => answer.promise)
    bridge.answer('switchConnection', () => {
      answer.resolve(fail('no-connection'))
      return new Promise(() => undefined)
    })
    await screen.getByLabelText('Service address').fill('stats.example')
    await screen.getByRole('button', { name: 'Connect', exact: true }).click()
    await screen.getByRole('button', { name: 'Open Studio Nord' }).click()
    await question.getByRole('button', { name: 'Leave without saving' }).click()
    await expect.element(screen.getByRole('button', { name: 'Connect', exact: true })).toBeVisible()
    await expect.element(screen.getByRole('alert')).not.toBeInTheDocument()
  })

  test('opens the sample data without a question', async () => {
    const { screen } = await typed()
    await screen.getByRole('button', { name: 'Try with sample data' }).click()
    await expect.element(screen.getByRole('status')).toMatchTextContent('Sample data')
  })
})

test('says of each saved account that its file is being opened, and counts its changes once it is open', async () => {
  const nord = (change: object) => ({ ...others[0], ...change })
  const bridge = new MemoryBridge({
    state: anAppState({ connection: null, others: [nord({ running: false, key: 'loading' })] }),
  })
  const entry = (opening: boolean) => ({
    ...{ id: 'other-0', address: 'https://nord.example', name: 'Studio Nord', sample: false, active: false, opening },
    ...{ unsent: opening ? null : 2, localData: 'none' as const },
  })
  bridge.answer('listConnections', () => ok([entry(true)]))
  const { screen } = await openApp(bridge)
  const saved = screen.getByRole('list', { name: 'Saved accounts' })
  await expect.element(saved.getByText('Opening…')).toBeVisible()
  bridge.answer('listConnections', () => ok([entry(false)]))
  const { accounts } = anAppState({ connection: null, others: [nord({ running: true, waiting: 2 })] })
  bridge.setState({ accounts })
  await expect.element(saved.getByText('2 changes pending')).toBeVisible()
})

describe('the account menu', () => {
  const several = [
    { ...others[0], waiting: 2 },
    { name: 'Garden', address: 'https://garden.example', key: 'refused' as const },
    { name: 'Attic', address: 'https://attic.example', running: false, key: 'missing' as const },
    { name: 'Quill', address: 'https://quill.example', running: false, key: 'loading' as const },
    { name: 'Studio Süd', address: 'https://south.example', parked: 2, waiting: 5 },
    { name: 'Old shop', address: 'https://old.example', offline: true, waiting: 3 },
  ]
  const open = async () => {
    const app = await openApp({ state: anAppState({ others: several }) })
    await app.screen.getByRole('button', { name: /Switch account$/ }).click()
    return { ...app, item: (name: RegExp) => app.screen.getByRole('menuitemradio', { name }) }
  }

  test('shows each account with its host and its status, and switches', async () => {
    const { bridge, item } = await open()
    await expect.element(item(/Northwind Agency/)).toHaveAttribute('aria-checked', 'true')
    await expect.element(item(/Northwind Agency/)).toMatchTextContent(/stats\.northwind\.example · All changes sent/)
    await expect.element(item(/Studio Nord/)).toMatchTextContent(/2 changes pending/)
    await expect.element(item(/Garden/)).toMatchTextContent(/The API key was rejected/)
    await expect.element(item(/Attic/)).toMatchTextContent(/Not connected/)
    await expect.element(item(/Quill/)).toMatchTextContent(/Opening…/)
    await expect.element(item(/Studio Süd/)).toMatchTextContent(/2 changes need attention/)
    await expect.element(item(/Old shop/)).toMatchTextContent(/Offline, 3 changes pending/)
    const dots = page
      .getByRole('menuitemradio')
      .elements()
      .filter((one) => one.querySelector('.attention-dot'))
    expect(dots.map((one) => one.textContent)).toEqual([
      expect.stringContaining('Garden'),
      expect.stringContaining('Studio Süd'),
    ])
    await expectAccessible()
    await item(/Garden/).click()
    await expect.poll(() => bridge.requests('switchConnection')).toEqual([{ id: 'other-1' }])
  })

  test('says in the name of its button that another account needs attention', async () => {
    const { screen, bridge } = await openApp({ state: anAppState({ others: several }) })
    const button = screen.getByRole('button', { name: /Switch account$/ })
    await expect.element(button).toHaveAccessibleName(/ Another account needs attention Switch account$/)
    bridge.setState({ accounts: anAppState({}).accounts })
    await expect.element(button).not.toHaveAccessibleName(/attention/)
  })

  test('leads to the list of all accounts, and to the form for a new account', async () => {
    const { screen } = await open()
    await screen.getByRole('menuitem', { name: 'Manage accounts' }).click()
    await expect.element(screen.getByRole('list', { name: 'Accounts' })).toBeVisible()
    await screen.getByRole('button', { name: /Switch account$/ }).click()
    await screen.getByRole('menuitem', { name: 'Add account…' }).click()
    await expect.element(screen.getByLabelText('Service address')).toBeVisible()
  })

  test('is not needed to switch: Ctrl+Alt and a digit switch to an account, but AltGr or Ctrl and a digit do not', async () => {
    const { bridge } = await openApp({ state: anAppState({ others: several }) })
    const press = (init: KeyboardEventInit) =>
      document.body.dispatchEvent(
        new KeyboardEvent('keydown', { key: '2', code: 'Digit2', ctrlKey: true, altKey: true, bubbles: true, ...init }),
      )
    press({ modifierAltGraph: true })
    press({ altKey: false })
    expect(bridge.requests('switchConnection')).toEqual([])
    press({})
    await expect.poll(() => bridge.requests('switchConnection')).toEqual([{ id: 'other-0' }])
  })
})

test('offers to send or export unsent changes before the active connection is removed', async () => {
  const { screen, bridge, goTo } = await openApp({ edits: [anEdit({})], state: anAppState({ others, waiting: 1 }) })
  await goTo('Settings')
  await screen.getByRole('button', { name: 'Remove Northwind Agency…' }).click()
  const question = screen.getByRole('alertdialog', { name: 'Remove Northwind Agency?' })
  await expect.element(question).toBeVisible()
  await expectAccessible()
  await question.getByRole('button', { name: 'Send now' }).click()
  await question.getByRole('button', { name: 'Export…' }).click()
  await expect.poll(() => [bridge.requests('sendNow').length, bridge.requests('exportEdits').length]).toEqual([1, 1])
})

test('lists an account whose file is still being opened, and counts its changes once it is open', async () => {
  const nord = (change: object) => ({ ...others[0], ...change })
  const { screen, bridge, goTo } = await openApp({ state: anAppState({ others: [nord({ running: false })] }) })
  const entry = (opening: boolean) => ({
    ...{ id: 'other-0', address: 'https://nord.example', name: 'Studio Nord', sample: false, active: false, opening },
    ...{ unsent: opening ? null : 2, localData: 'none' as const },
  })
  bridge.answer('listConnections', () => ok([entry(true)]))
  await goTo('Settings')
  const list = screen.getByRole('list', { name: 'Accounts' })
  await expect.element(list.getByText('Opening…')).toBeVisible()
  await expect
    .element(list.getByRole('button', { name: 'Remove Studio Nord…' }))
    .toHaveAttribute('aria-disabled', 'true')
  bridge.answer('listConnections', () => ok([entry(false)]))
  bridge.setState({ accounts: anAppState({ others: [nord({ running: true, waiting: 2 })] }).accounts })
  await expect.element(list.getByText('2 changes pending')).toBeVisible()
  await expect.element(list.getByRole('button', { name: 'Remove Studio Nord…' })).not.toHaveAttribute('aria-disabled')
})

test('if more changes are pending than the question named, “Remove” first names the others, and asks again', async () => {
  const { screen, bridge, goTo } = await openApp({ edits: [anEdit({})], state: anAppState({ others }) })
  bridge.answer('removeConnection', ({ unsent }) => {
    bridge.world.edits = [anEdit({}), anEdit({ id: 'e2', domain: 'late.example' })]
    return unsent < 2 ? fail('edits-wait') : fail('storage')
  })
  await goTo('Settings')
  await screen.getByRole('button', { name: 'Remove Studio Nord…' }).click()
  const dialog = screen.getByRole('alertdialog', { name: 'Remove Studio Nord?' })
  await dialog.getByRole('button', { name: 'Remove and discard 1 change' }).click()
  await expect.element(dialog.getByText('late.example')).toBeVisible()
  await expect.element(dialog.getByRole('alert')).toMatchTextContent(/More changes are pending than were shown/)
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Remove and discard 2 changes' }).click()
  await expect
    .poll(() => bridge.requests('removeConnection'))
    .toEqual([
      { id: 'other-0', unsent: 1, keepLocal: false },
      { id: 'other-0', unsent: 2, keepLocal: false },
    ])
})

test('the question before an account is removed offers to keep the account’s tags, notes and views only if there are any', async () => {
  const tags: Tag[] = [{ name: 'Later', colour: 'red' }]
  const { screen, bridge, goTo } = await openApp({ tags, state: anAppState({ others }) })
  await goTo('Settings')
  const dialog = screen.getByRole('alertdialog')
  const keep = dialog.getByRole('checkbox', { name: /^Keep tags, notes, and saved views/ })
  await screen.getByRole('button', { name: 'Remove Studio Nord…' }).click()
  await expect.element(dialog).toBeVisible()
  await expect.element(keep).not.toBeInTheDocument()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await screen.getByRole('button', { name: 'Remove Northwind Agency…' }).click()
  await expect.element(keep).toBeChecked()
  await expectAccessible()
  await keep.click()
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect.poll(() => bridge.requests('removeConnection')).toMatchObject([{ keepLocal: false }])
})

test('says why an account is not removed if its tags and those kept from before are too many together', async () => {
  const { screen, bridge, goTo } = await openApp({ tags: [{ name: 'Later', colour: 'red' }] })
  const text = 'You can have at most 100 tags.'
  bridge.answer('removeConnection', () => fail('invalid-input', { fields: { name: [text] } }))
  await goTo('Settings')
  await screen.getByRole('button', { name: 'Remove Northwind Agency…' }).click()
  const dialog = screen.getByRole('alertdialog')
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent(text)
  await expect.element(dialog.getByText(/Correct the marked fields/)).not.toBeInTheDocument()
})

test('saving the address of the statistics of one account does not restore the address of the statistics of a removed account', async () => {
  const { id } = aConnection()
  const statisticsAddresses = { 'other-0': 'https://a.example/{id}' }
  const settings = { ...defaultSettings, statisticsAddresses }
  const { screen, bridge, goTo, keys } = await openApp({ settings, state: anAppState({ others }) })
  await goTo('Settings')
  await screen.getByRole('button', { name: 'Remove Studio Nord…' }).click()
  bridge.answer('removeConnection', () => {
    bridge.world.settings = defaultSettings
    return ok({ keyLeft: false })
  })
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await expect.element(screen.getByText(/was removed/)).toBeVisible()
  await goTo('Account')
  await screen.getByRole('button', { name: 'Change statistics address…' }).click()
  await screen.getByRole('textbox', { name: 'Address for “Open statistics”' }).fill('https://b.example/{id}')
  await keys('{Enter}')
  await expect
    .poll(() => bridge.requests('setSettings'))
    .toEqual([{ statisticsAddresses: { [id]: 'https://b.example/{id}' } }])
})

test('the question before the sample data is removed says that its tags, notes and views will be deleted too, because the account can’t be recognized later', async () => {
  const tags: Tag[] = [{ name: 'Later', colour: 'red' }]
  const { screen, bridge, goTo } = await openApp({
    tags,
    state: anAppState({ connection: aConnection({ sample: true }) }),
  })
  await goTo('Settings')
  await screen.getByRole('button', { name: 'Remove Northwind Agency…' }).click()
  const dialog = screen.getByRole('alertdialog')
  await expect.element(dialog.getByText(/^Its tags, notes, and saved views will also be deleted\./)).toBeVisible()
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect.poll(() => bridge.requests('removeConnection')).toMatchObject([{ keepLocal: false }])
})

test('reports on the connect form that the active connection could not be deleted', async () => {
  const { screen, bridge, goTo } = await openApp({})
  bridge.answer('removeConnection', () => {
    bridge.setState({ connection: null })
    return fail('disk-full')
  })
  await goTo('Settings')
  await screen.getByRole('button', { name: 'Remove Northwind Agency…' }).click()
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await expect.element(screen.getByLabelText('Service address')).toBeVisible()
  await expect.element(screen.getByText(/The disk is full/)).toBeVisible()
})

test('asks about the typed connection before a link or a notification leads away from it', async () => {
  const { screen, bridge, goTo } = await openApp({ state: anAppState({ others }) })
  await goTo('Settings')
  await screen.getByRole('button', { name: 'Add account…' }).click()
  const address = screen.getByLabelText('Service address')
  const apiKey = screen.getByLabelText('API key', { exact: true })
  await address.fill('stats.studio')
  await apiKey.fill('k3y-of-ada')
  await expect.poll(() => bridge.requests('keepFormDrafts').at(-1)?.held).toBe(true)

  bridge.leadTo({ to: 'screen', screen: 'pending' })
  const question = screen.getByRole('alertdialog', { name: 'Leave without saving?' })
  await expect.element(question.getByRole('button', { name: 'Keep editing' })).toHaveFocus()
  await expectAccessible()
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect.element(question).not.toBeInTheDocument()
  await expect.element(address).toHaveValue('stats.studio')
  await expect.element(apiKey).toHaveValue('k3y-of-ada')
  await expect.element(apiKey).toHaveFocus()

  bridge.leadTo({ to: 'screen', screen: 'activity' })
  await question.getByRole('button', { name: 'Leave without saving' }).click()
  await expect.element(screen.getByRole('heading', { level: 1, name: 'Activity' })).toBeVisible()
  await goTo('Settings')
  await screen.getByRole('button', { name: 'Add account…' }).click()
  await expect.element(address).toHaveValue('')
  await expect.element(apiKey).toHaveValue('')
})

test('asks before the app quits from the tray or the menu while a list of websites is typed, which is kept nowhere', async () => {
  const { screen, bridge, keys } = await openApp({ websites: websites(1) })
  await expect.element(screen.getByRole('button', { name: 'Add website' })).toBeVisible()
  await keys('{Control>}{Shift>}n{/Shift}{/Control}')
  const list = screen.getByRole('dialog', { name: 'Add multiple websites' }).getByRole('textbox').first()
  await list.fill('one.example')
  await expect.poll(() => bridge.requests('keepFormDrafts').at(-1)?.typed).toBe(true)

  bridge.leadTo({ to: 'quit' })
  const question = screen.getByRole('alertdialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect.element(list).toHaveValue('one.example')
  expect(bridge.requests('quit')).toEqual([])

  bridge.leadTo({ to: 'quit' })
  await question.getByRole('button', { name: 'Leave without saving' }).click()
  await expect.poll(() => bridge.requests('quit')).toHaveLength(1)
})

test('asks before Ctrl+Q and “Restart to update” while a name is typed in Settings', async () => {
  const update = { state: 'ready', version: '0.2.0' } as const
  const { screen, bridge, goTo, keys } = await openApp({ state: anAppState({ others, update }) })
  await goTo('Settings')
  await screen.getByRole('button', { name: 'Rename Studio Nord…' }).click()
  await screen.getByRole('textbox', { name: 'Name' }).fill('Half typ')
  const question = screen.getByRole('alertdialog', { name: 'Leave without saving?' })

  await keys('{Control>}q{/Control}')
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await screen.getByRole('button', { name: 'Restart to update' }).click()
  await expect.element(question).toBeVisible()
  expect([...bridge.requests('quit'), ...bridge.requests('restartToUpdate')]).toEqual([])
  await question.getByRole('button', { name: 'Leave without saving' }).click()
  await expect.poll(() => bridge.requests('restartToUpdate')).toHaveLength(1)
})

describe('with two accounts,', () => {
  const account = 'other-0'

  async function opened() {
    const app = await openApp({ websites: websites(1), state: anAppState({ others, websites: 1 }) })
    app.bridge.answer('switchConnection', ({ id }) => {
      const connection = aConnection({ id, name: 'Studio Nord' })
      app.bridge.setState({ connection })
      return ok(connection)
    })
    return { ...app, question: app.screen.getByRole('alertdialog', { name: 'Leave without saving?' }) }
  }

  test('the tray shows a screen of the other account after the user agrees to lose the unsaved text of the editor', async () => {
    const { screen, bridge, form, question } = await opened()
    await screen.getByRole('button', { name: 'Add website' }).click()
    await form().domain.fill('half-typed.exam')
    bridge.leadTo({ to: 'screen', screen: 'pending', account })
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await expect.element(form().domain).toHaveValue('half-typed.exam')
    expect(bridge.requests('switchConnection')).toEqual([])
    bridge.leadTo({ to: 'screen', screen: 'pending', account })
    await question.getByRole('button', { name: 'Leave without saving' }).click()
    await expect.element(screen.getByRole('banner')).toMatchTextContent(/Studio Nord/)
    await expect.element(screen.getByRole('heading', { level: 1, name: 'Pending changes' })).toBeVisible()
  })

  test('the tray shows the other account after the user agrees to lose the list of websites that they typed', async () => {
    const { screen, bridge, keys, question } = await opened()
    await expect.element(screen.getByRole('button', { name: 'Add website' })).toBeVisible()
    await keys('{Control>}{Shift>}n{/Shift}{/Control}')
    const list = screen.getByRole('dialog', { name: 'Add multiple websites' }).getByRole('textbox').first()
    await list.fill('one.example')
    bridge.leadTo({ to: 'screen', screen: 'account', account })
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await expect.element(list).toHaveValue('one.example')
    bridge.leadTo({ to: 'screen', screen: 'account', account })
    await expect.element(question).toBeVisible()
    expect(bridge.requests('switchConnection')).toEqual([])
    await question.getByRole('button', { name: 'Leave without saving' }).click()
    await expect.element(screen.getByRole('banner')).toMatchTextContent(/Studio Nord/)
  })

  test('the tray shows the other account after the user was asked about the typed list of websites and then about the text of the editor', async () => {
    const { screen, bridge, keys, form, row, question } = await opened()
    await row(websites(1)[0]?.domain ?? '').click()
    await form().ips.fill('192.0.2.1')
    await keys('{Control>}{Shift>}n{/Shift}{/Control}')
    const list = screen.getByRole('dialog', { name: 'Add multiple websites' }).getByRole('textbox').first()
    await list.fill('one.example')
    bridge.leadTo({ to: 'screen', screen: 'pending', account })
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await expect.element(list).toHaveValue('one.example')
    bridge.leadTo({ to: 'screen', screen: 'pending', account })
    await question.getByRole('button', { name: 'Leave without saving' }).click()
    await question.getByRole('button', { name: 'Save' }).click()
    await expect.element(screen.getByRole('banner')).toMatchTextContent(/Studio Nord/)
    expect(bridge.requests('updateWebsite')).toHaveLength(1)
  })

  test('a switch by keyboard asks about a typed password of the editor only once', async () => {
    const { screen, bridge, keys, form, row, question } = await opened()
    await row(websites(1)[0]?.domain ?? '').click()
    await form().privacy('Password').click()
    await form().password.fill('open sesame')
    await keys('{Control>}{Alt>}2{/Alt}{/Control}')
    await question.getByRole('button', { name: 'Save' }).click()
    await expect.element(screen.getByRole('banner')).toMatchTextContent(/Studio Nord/)
    expect(bridge.requests('updateWebsite')).toHaveLength(1)
  })

  test('the tray shows the other account after the user agrees to lose the typed key of a new account', async () => {
    const { screen, bridge, goTo, question } = await opened()
    await goTo('Settings')
    await screen.getByRole('button', { name: 'Add account…' }).click()
    const apiKey = screen.getByLabelText('API key', { exact: true })
    await apiKey.fill('k3y-of-ada')
    bridge.leadTo({ to: 'screen', screen: 'pending', account })
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await expect.element(apiKey).toHaveValue('k3y-of-ada')
    expect(bridge.requests('switchConnection')).toEqual([])
    bridge.leadTo({ to: 'screen', screen: 'pending', account })
    await question.getByRole('button', { name: 'Leave without saving' }).click()
    await expect.element(screen.getByRole('banner')).toMatchTextContent(/Studio Nord/)
  })

  test('the tray shows no screen of the current account if the other account can’t be shown', async () => {
    const { screen, bridge } = await opened()
    bridge.answer('switchConnection', () => fail('storage'))
    await expect.element(screen.getByRole('button', { name: 'Add website' })).toBeVisible()
    bridge.leadTo({ to: 'screen', screen: 'pending', account })
    await expect.poll(() => bridge.requests('switchConnection')).toEqual([{ id: account }])
    await expect.element(screen.getByRole('banner')).toMatchTextContent(/Northwind Agency/)
    await expect.element(screen.getByRole('heading', { level: 1, name: 'Pending changes' })).not.toBeInTheDocument()
  })

  test('a tray menu that leads to a screen of the shown account cancels a switch in progress', async () => {
    const { screen, bridge, keys } = await opened()
    bridge.answer('switchConnection', () => new Promise(() => undefined))
    await expect.element(screen.getByRole('button', { name: 'Add website' })).toBeVisible()
    await keys('{Control>}{Alt>}2{/Alt}{/Control}')
    await expect.poll(() => bridge.requests('switchConnection')).toHaveLength(1)
    bridge.leadTo({ to: 'screen', screen: 'pending', account: aConnection().id })
    await expect.element(screen.getByRole('heading', { level: 1, name: 'Pending changes' })).toBeVisible()
    expect(bridge.requests('cancelConnect')).toHaveLength(1)
  })

  test('the tray shows a screen of the shown account at once, without a question', async () => {
    const { screen, bridge, question } = await opened()
    await expect.element(screen.getByRole('button', { name: 'Add website' })).toBeVisible()
    bridge.leadTo({ to: 'screen', screen: 'pending', account: aConnection().id })
    await expect.element(screen.getByRole('heading', { level: 1, name: 'Pending changes' })).toBeVisible()
    await expect.element(question).not.toBeInTheDocument()
    expect(bridge.requests('switchConnection')).toEqual([])
  })
})

test('a link leaves the form for a new account at once if the form is empty, and asks first if an address was typed', async () => {
  const { screen, bridge, goTo } = await openApp({ state: anAppState({ others }) })
  const question = screen.getByRole('alertdialog')
  const address = screen.getByLabelText('Service address')
  await goTo('Settings')
  await screen.getByRole('button', { name: 'Add account…' }).click()
  await expect.element(address).toBeVisible()
  bridge.leadTo({ to: 'screen', screen: 'account' })
  await expect.element(screen.getByRole('heading', { name: 'Account', exact: true })).toBeVisible()
  await expect.element(question).not.toBeInTheDocument()

  await goTo('Settings')
  await screen.getByRole('button', { name: 'Add account…' }).click()
  await address.fill('stats.studio')
  await expect.poll(() => bridge.requests('keepFormDrafts').at(-1)?.held).toBe(true)
  bridge.leadTo({ to: 'add', domain: 'linked.example' })
  await expect.element(question).toBeVisible()
  await expect.element(address).toHaveValue('stats.studio')
})

test('cancels a connect in progress when the user leaves its form, and stays at the old connection', async () => {
  const { screen, bridge, goTo } = await openApp({ state: anAppState({ others }) })
  let answer = (): void => undefined
  bridge.answer('connect', () => new Promise((resolve) => (answer = () => resolve(fail('no-connection')))))
  bridge.answer('cancelConnect', () => (answer(), ok(undefined)))
  await goTo('Settings')
  await screen.getByRole('button', { name: 'Add account…' }).click()
  await screen.getByLabelText('Service address').fill('stats.studio.example')
  await screen.getByLabelText('API key', { exact: true }).fill('k3y-of-ada')
  await screen.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect.element(screen.getByRole('button', { name: 'Connecting…' })).toBeVisible()
  bridge.leadTo({ to: 'screen', screen: 'account' })
  await screen.getByRole('button', { name: 'Leave without saving' }).click()
  await expect.element(screen.getByRole('heading', { name: 'Account', exact: true })).toBeVisible()
  expect(bridge.requests('cancelConnect')).toHaveLength(1)
})

test('reports to main that the window must stay open while a name is changed and not saved', async () => {
  const { screen, bridge, goTo } = await openApp({ state: anAppState({ others }) })
  await goTo('Settings')
  await screen.getByRole('button', { name: 'Rename Studio Nord…' }).click()
  const name = screen.getByRole('textbox', { name: 'Name' })
  await expect.element(name).toBeVisible()
  expectOnePrimary()
  await expect.element(screen.getByRole('button', { name: 'Save', exact: true })).toHaveClass('primary')
  await name.fill('Studio Nordw')
  await expect.poll(() => bridge.requests('keepFormDrafts').at(-1)?.held).toBe(true)
  await name.fill('Studio Nord')
  await expect.poll(() => bridge.requests('keepFormDrafts').at(-1)?.held).toBe(false)
  await name.fill('Studio')
  await expect.poll(() => bridge.requests('keepFormDrafts').at(-1)?.held).toBe(true)
  await screen.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => bridge.requests('keepFormDrafts').at(-1)?.held).toBe(false)
})

test('reports to main that the window must stay open until the last of two changed names is saved or canceled', async () => {
  const other = { address: 'https://stats.garden.example', name: 'Garden' }
  const { screen, bridge, goTo } = await openApp({ state: anAppState({ others: [...others, other] }) })
  const held = () => expect.poll(() => bridge.requests('keepFormDrafts').at(-1)?.held)
  await goTo('Settings')
  const form = (name: string) => screen.getByRole('form', { name: new RegExp(name) })
  for (const name of ['Studio Nord', 'Garden']) {
    await screen.getByRole('button', { name: `Rename ${name}…` }).click()
    await form(name).getByRole('textbox', { name: 'Name' }).fill(`${name} 2`)
  }
  await held().toBe(true)
  await form('Studio Nord').getByRole('button', { name: /save/i }).click()
  await expect.poll(() => bridge.requests('renameConnection')).toHaveLength(1)
  await held().toBe(true)
  await form('Garden').getByRole('button', { name: 'Cancel' }).click()
  await held().toBe(false)
  await screen.getByRole('button', { name: 'Rename Garden…' }).click()
  await form('Garden').getByRole('textbox', { name: 'Name' }).fill('Gard')
  await held().toBe(true)
})

test('Escape closes the form for the name of an account, also with the focus on one of its buttons', async () => {
  const { screen, goTo, keys } = await openApp({ state: anAppState({ others }) })
  await goTo('Settings')
  const form = screen.getByRole('form', { name: /Studio Nord/ })
  for (const name of [/save/i, 'Cancel']) {
    await screen.getByRole('button', { name: 'Rename Studio Nord…' }).click()
    ;(form.getByRole('button', { name }).element() as HTMLElement).focus()
    await keys('{Escape}')
    await expect.element(form).not.toBeInTheDocument()
  }
})
