import { expect, sharedTest as base } from './support/app.ts'
import { letSecondsPass } from './support/clock.ts'
import { hold, startFaultyService, type FaultyService } from './support/faulty.ts'
import { command, keys } from './support/keyboard.ts'
import { connect, goTo, openWebsite, saveWebsite } from './support/screens.ts'

const test = base.extend<{ faulty: FaultyService }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs from this pattern
  faulty: async ({}, use) => {
    const service = await startFaultyService(4)
    await use(service)
    service.close()
  },
})

/**
 * Maximum time from a read to the write after it, in milliseconds: the 2 s of the app, and 2 s for both transfers in real time on
 * a busy computer. The simulation checks the 2 s of the app exactly.
 */
const WINDOW = 4_000

test('the undo of a change that is being sent restores the old value on the service', async ({ page, faulty }) => {
  const website = faulty.store.all().at(-1)
  if (website === undefined) throw new Error('The service has no websites.')
  const value = () => faulty.store.get(website.id)?.exclude_bots
  const before = value()
  await connect(page, faulty)
  const held = hold(faulty, 'PUT')
  faulty.fault = held
  const form = await openWebsite(page, website.domain)
  await form.excludeBots.click()
  await form.save.click()
  await expect.poll(() => held.held).toBe(1)
  await page.getByRole('button', { name: 'Undo' }).first().click()
  held.release()
  await goTo(page, 'Pending')
  await expect(page.getByText('No pending changes')).toBeVisible({ timeout: 30_000 })
  expect(value()).toBe(before)
  expect(faulty.store.requests().filter(({ method }) => method === 'PUT')).toHaveLength(2)
})

test('keeps a domain that is typed while the website is being created, and adds it', async ({ page, faulty }) => {
  await connect(page, faulty)
  const held = hold(faulty, 'POST')
  faulty.fault = held
  await saveWebsite(page, 'first.example')
  await expect.poll(() => held.held).toBe(1)
  const form = await openWebsite(page, 'first.example')
  await form.domain.fill('second.example')
  await form.save.click()
  await expect(form.domain).toHaveAccessibleDescription(/is being sent to the service/)
  held.release()
  await expect(form.domain).toHaveAccessibleDescription(/was just added as .*first\.example/)
  await expect(form.domain).toHaveValue('first.example')
  await page.getByRole('button', { name: /^Add .*second\.example.* as another website$/ }).click()
  await expect(form.domain).toHaveValue('second.example')
  await form.save.click()
  const domains = () => faulty.store.all().map(({ domain }) => domain)
  await expect.poll(domains).toEqual(expect.arrayContaining(['first.example', 'second.example']))
})

test('another client that writes every second loses only what it writes between our read and our write', async ({
  page,
  faulty,
}) => {
  const { store } = faulty
  const ids = store.all().map(({ id }) => id)
  const linesOf = (id: number) => (store.get(id)?.exclude_ips ?? '').split('\n')
  const written: string[] = []
  const writtenAt = new Map<string, number>()
  /** The number of lines of each website that the app has read. */
  const read = new Map<number, number>()
  /** The lines that another client wrote between a read and a write. */
  const inWindow = new Set<string>()
  const writeAll = () => {
    const line = `198.51.100.${String(written.length + 1)}`
    for (const id of ids) store.update(id, { exclude_ips: [...linesOf(id), line].join('\n').trim() })
    written.push(line)
    writtenAt.set(line, Date.now())
  }
  await connect(page, faulty)
  faulty.fault = ({ method, url = '' }) => {
    const id = Number(/\/websites\/(\d+)$/.exec(url)?.[1])
    if (method === 'GET') for (const one of Number.isNaN(id) ? ids : [id]) read.set(one, written.length)
    const isRecent = (line: string) => Date.now() - (writtenAt.get(line) ?? 0) <= WINDOW
    const missed = method === 'PUT' ? written.slice(read.get(id)).filter(isRecent) : []
    for (const line of missed) inWindow.add(`${String(id)} ${line}`)
    return false
  }
  const writer = setInterval(writeAll, 1_000)
  try {
    for (const [n, id] of ids.entries()) {
      await expect.poll(() => written.length, { timeout: 20_000 }).toBeGreaterThan(n + 6)
      const form = await openWebsite(page, store.get(id)?.domain ?? '-')
      await form.excludedIps.fill(`${await form.excludedIps.inputValue()}\n203.0.113.${String(id)}`.trim())
      await form.save.click()
    }
    await goTo(page, 'Pending')
    await expect(page.getByText('No pending changes')).toBeVisible({ timeout: 30_000 })
  } finally {
    clearInterval(writer)
  }
  for (const id of ids) {
    const kept = written.filter((line) => !inWindow.has(`${String(id)} ${line}`))
    expect(linesOf(id)).toEqual(expect.arrayContaining([...kept, `203.0.113.${String(id)}`]))
  }
})

/** Returns the requests after the first `first` ones. Tells reads of one website from reads of the list. */
const requestsAfter = ({ store }: FaultyService, first: number): string[] =>
  store
    .requests()
    .slice(first)
    .map(({ method, path }) => (method !== 'GET' ? method : /\/\d+$/.test(path) ? 'GET one' : 'GET page'))

test('a bulk edit reads a page of websites again before writes that come more than 15 seconds after the page was read', async ({
  siteward: { app, page },
  faulty,
}) => {
  const { store } = faulty
  for (const { id } of store.all()) store.update(id, { exclude_ips: '192.0.2.1' })
  await connect(page, faulty)
  await command(page, 'Select all websites in the list')
  await keys(page, 'Control+e')
  const bulk = page.getByRole('dialog', { name: 'Edit 4 websites' })
  const list = bulk.getByRole('radiogroup', { name: 'Excluded IP addresses' })
  await list.getByRole('radio', { name: 'Add or remove' }).click()
  await bulk.getByRole('textbox', { name: 'Excluded IP addresses: lines to add' }).fill('192.0.2.9')
  await letSecondsPass(app, 20)
  const first = store.requests().length
  const sent = new Set<string>()
  faulty.fault = (request, response) => {
    if (request.method !== 'PUT' || sent.has(request.url ?? '')) return false
    sent.add(request.url ?? '')
    if (sent.size !== 2) return false
    // While the second write is in flight, another client changes the two websites whose writes follow.
    for (const { id } of store.all())
      if (![...sent].some((url) => url.endsWith(`/${String(id)}`)))
        store.update(id, { exclude_ips: '192.0.2.1\n198.51.100.7' })
    void letSecondsPass(app, 16).then(() => faulty.pass(request, response))
    return true
  }
  await bulk.getByRole('button', { name: 'Change 4 websites' }).click()
  await goTo(page, 'Pending')
  await expect(page.getByText('No pending changes')).toBeVisible({ timeout: 30_000 })
  expect(requestsAfter(faulty, first)).toEqual(['GET page', 'PUT', 'PUT', 'GET page', 'PUT', 'PUT'])
  const lists = store.all().map(({ exclude_ips }) => exclude_ips?.split('\n').toSorted().join(' '))
  expect(lists.toSorted()).toEqual([
    '192.0.2.1 192.0.2.9',
    '192.0.2.1 192.0.2.9',
    '192.0.2.1 192.0.2.9 198.51.100.7',
    '192.0.2.1 192.0.2.9 198.51.100.7',
  ])
})

test('a website is read once more if the rate limit delays the write after the read', async ({
  siteward: { app, page },
  faulty,
}) => {
  const { store } = faulty
  const website = store.all().at(-1)
  if (website === undefined) throw new Error('The service has no websites.')
  await connect(page, faulty)
  await letSecondsPass(app, 61)
  const first = store.requests().length
  let reads = 0
  faulty.fault = ({ method, url }, response) => {
    if (method !== 'GET' || url?.endsWith(`/${String(website.id)}`) !== true) return false
    reads += 1
    // Other programs with the same key have used up the limit.
    if (reads === 1) response.setHeader('X-RateLimit-Limit', '60').setHeader('X-RateLimit-Remaining', '0')
    return false
  }
  const form = await openWebsite(page, website.domain)
  await form.excludedIps.fill('203.0.113.7')
  await form.save.click()
  await expect.poll(() => reads).toBe(1)
  await expect(page.getByText('Waiting for the service').first()).toBeVisible()
  store.update(website.id, { exclude_ips: `${website.exclude_ips ?? ''}\n198.51.100.7`.trim() })
  await letSecondsPass(app, 61)
  await command(page, 'Send now')
  await expect.poll(() => store.get(website.id)?.exclude_ips).toContain('203.0.113.7')
  expect(store.get(website.id)?.exclude_ips).toContain('198.51.100.7')
  expect(requestsAfter(faulty, first)).toEqual(['GET one', 'GET one', 'PUT'])
})
