import { page } from 'vitest/browser'
import { beforeEach, expect, test } from 'vitest'
import { columnsOf, rowsOf, parsePastedTable } from '../../src/renderer/features/bulk/rows.ts'
import type { AccountView } from '../../src/shared/account.ts'
import { MAX_LIST_FILE } from '../../src/shared/list-text.ts'
import { fail, ok } from '../../src/shared/result.ts'
import { openApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { anAccountView, websites } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 900))

const read = (text: string) => {
  const table = parsePastedTable(text)
  return rowsOf(table, columnsOf(table))
}

test('reads a domain or an address per line, without white space, and marks a line that has none or repeats a domain', () => {
  const rows = read('\n https://www.a.example/path \r\n\r\nb.example\nno domain\nB.example.\n')
  expect(rows.map(({ line, draft, errors }) => [line, draft.domain, errors.length])).toEqual([
    [2, 'https://www.a.example/path', 0],
    [4, 'b.example', 0],
    [5, 'no domain', 1],
    [6, 'B.example.', 1],
  ])
  expect(rows[3]?.errors).toEqual(['This domain is already on line 4.'])
  expect(rows[0]?.draft).toMatchObject({ privacy: 1, email: false, exclude_bots: true, exclude_ips: [] })
})

test('reads a table by its column names, in any order, with quotes and other separators', () => {
  const comma = 'Email,URL,Exclude bots,Notes,ips\nyes,a.example,no,"x, y","10.0.0.1\n10.0.0.2"\n'
  const tab = 'url\tprivacy\tpassword\na.example\tPassword\ts3cret\nb.example\tsecret\t'
  expect(read(comma)[0]?.draft).toMatchObject({
    domain: 'a.example',
    email: true,
    exclude_bots: false,
    exclude_ips: ['10.0.0.1', '10.0.0.2'],
  })
  expect(read(tab).map(({ draft, errors }) => [draft.privacy, draft.password, errors])).toEqual([
    [2, 's3cret', []],
    [1, undefined, ['“secret” isn’t a privacy setting. Use public, private, or password.']],
  ])
})

test('reads privacy settings by the names that the app shows in German, Japanese and English', () => {
  const rows = read('domain,privacy\na.example,Privat\nb.example,Öffentlich\nc.example,公開\nd.example,PUBLIC')
  expect(rows.map(({ draft, errors }) => [draft.privacy, errors])).toEqual([
    [1, []],
    [0, []],
    [0, []],
    [0, []],
  ])
})

test('reads a line of several domains as several websites, unless the first line has the names of columns', () => {
  const rows = read('a.example\nb.example, c.example\nd.example e.example;www.a.example\nfour words. not domains\n')
  expect(rows.map(({ line, domain, errors }) => [line, domain, errors.length])).toEqual([
    [1, 'a.example', 0],
    [2, 'b.example', 0],
    [2, 'c.example', 0],
    [3, 'd.example', 0],
    [3, 'e.example', 0],
    [3, 'a.example', 1],
    [4, null, 1],
  ])
  expect(read('a.example\tpublic\nb.example\t10.0.0.1').map(({ domain }) => domain)).toEqual(['a.example', 'b.example'])
  expect(read('domain,notes\na.example,b.example').map(({ domain }) => domain)).toEqual(['a.example'])
})

test('splits the IP addresses in a cell at any separator, and warns of invalid IP addresses and parameters as the editor does', () => {
  const [one, two] = read(
    'domain,ips,params\na.example,10.0.0.1|10.0.0.0/24 ::1,a|b\nlocalhost,10.0.0.1|x 10.0.0.*,c=1',
  )
  expect(one?.draft).toMatchObject({ exclude_ips: ['10.0.0.1', '10.0.0.0/24', '::1'], exclude_params: ['a|b'] })
  expect(one).toMatchObject({ errors: [], warnings: [] })
  expect(two?.errors).toEqual([])
  expect(two?.warnings).toEqual([
    expect.stringContaining('Most services only accept domains like example.com'),
    'Excluded IP addresses: “10.0.0.1|x” isn’t an IP address or a range and will have no effect.',
    'Excluded IP addresses: “10.0.0.*” isn’t an IP address or a range and will have no effect.',
    'Excluded URL parameters: “c=1” may have no effect. Enter only the name of the parameter, such as utm_source.',
  ])
})

test('reads at most a thousand rows, and throws no error whatever the text is', () => {
  expect(read(Array.from({ length: 1200 }, (_, n) => `site-${n}.example`).join('\n'))).toHaveLength(1000)
  for (const text of ['"', ',,,\n;', '\0\t"\n"', '__proto__\nconstructor']) expect(() => read(text)).not.toThrow()
})

async function opened(account: AccountView | null = null) {
  const app = await openApp({ websites: websites(3), account })
  await expect.element(app.screen.getByText('3 websites')).toBeVisible()
  await app.keys('{Control>}{Shift>}n{/Shift}{/Control}')
  const dialog = page.getByRole('dialog', { name: 'Add multiple websites' })
  const box = dialog.getByRole('textbox', { name: 'Domains' })
  await expect.element(box).toBeVisible()
  return { ...app, dialog, box, status: dialog.getByRole('status') }
}

test('adds pasted websites by keyboard, and one Undo takes them all back', async () => {
  const { bridge, keys, dialog, box, status, screen } = await opened()
  await expect.element(box).toHaveFocus()
  await box.fill('a.example\nb.example\nnot one')
  await expect.element(status).toHaveTextContent('2 websites will be added. 1 line can’t be added.')
  await expectAccessible()
  await box.fill('a.example\nb.example')
  const add = dialog.getByRole('button', { name: 'Add 2 websites' })
  ;(add.element() as HTMLElement).focus()
  await keys('{Enter}')
  await expect
    .poll(() => bridge.requests('bulkCreate'))
    .toMatchObject([{ drafts: [{ domain: 'a.example' }, { domain: 'b.example' }] }])
  await expect.element(dialog).not.toBeInTheDocument()
  bridge.answer('undoBulk', () => ok({ bulkChange: 'batch', changed: 2, same: 0, refused: [], unknown: [] }))
  await screen.getByRole('button', { name: 'Undo' }).click()
  await expect.element(screen.getByText('The change was undone for 2 websites.')).toBeVisible()
})

test('warns of email reports that the plan does not include, if a website has them', async () => {
  const { box, status } = await opened(anAccountView())
  await box.fill('url,email\na.example,no\nb.example,yes')
  await expect.element(status).toMatchTextContent(/plan doesn’t include email reports/)
  await box.fill('url,email\na.example,no')
  await expect.element(status).toHaveTextContent('1 website will be added.')
})

test('shows all lines, a hundred at a time, with errors first', async () => {
  const { dialog, box } = await opened()
  const good = Array.from({ length: 150 }, (_, n) => `site-${n}.example`)
  await box.fill([...good, ...Array.from({ length: 120 }, (_, n) => `not one ${n}`)].join('\n'))
  const rows = dialog.getByRole('region', { name: 'Websites to add' }).getByRole('row')
  await expect.element(dialog.getByText('1 of 3', { exact: true })).toBeVisible()
  await expect.element(rows.last()).toMatchTextContent(/^250/)
  await dialog.getByRole('button', { name: 'Next page' }).click()
  await dialog.getByRole('button', { name: 'Next page' }).click()
  await expect.element(rows.last()).toMatchTextContent(/^150site-149\.example/)
  await expectAccessible()
  await box.fill('a.example')
  await expect.element(rows.last()).toMatchTextContent(/a\.example/)
  await expect.element(dialog.getByRole('navigation', { name: 'Pages' })).not.toBeInTheDocument()
})

test('keeps refused lines in the text with their reason, and removes the queued ones', async () => {
  const { bridge, dialog, box } = await opened()
  const fields = { domain: ['b.example is already in this account.'] }
  bridge.answer('bulkCreate', () =>
    ok({
      bulkChange: 'batch',
      created: 2,
      refused: [{ row: 1, error: { code: 'invalid-input', message: '', fields } }],
    }),
  )
  await box.fill('a.example\nb.example\nc.example')
  await dialog.getByRole('button', { name: 'Add 3 websites' }).click()
  await expect.element(box).toHaveValue('b.example')
  await expect.element(dialog.getByText('b.example is already in this account.')).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Add websites' })).toHaveAttribute('aria-disabled', 'true')
})

test('keeps the text that is typed while websites are added, and the dialog stays open', async () => {
  const { bridge, dialog, box, screen } = await opened()
  const held = Promise.withResolvers<undefined>()
  bridge.answer('bulkCreate', async ({ drafts }) => {
    await held.promise
    return ok({ bulkChange: 'batch', created: drafts.length, refused: [] })
  })
  await box.fill('a.example')
  await dialog.getByRole('button', { name: 'Add 1 website' }).click()
  await expect.poll(() => bridge.requests('bulkCreate')).toHaveLength(1)
  await box.fill('a.example\nb.example')
  held.resolve(undefined)
  const toasts = screen.getByRole('region', { name: 'Messages' })
  await expect.element(toasts.getByText('1 website will be added.')).toBeInTheDocument()
  await expect.element(box).toHaveValue('a.example\nb.example')
})

test('shows both forms of an international domain uncut', async () => {
  const { keys } = await openApp({ websites: websites(3) })
  await keys('{Control>}{Shift>}n{/Shift}{/Control}')
  await page.getByRole('dialog').getByRole('textbox', { name: 'Domains' }).fill('xn--bcher-laden-thb.example')
  const cell = page.getByRole('dialog').getByRole('cell', { name: /bücher-laden\.example/ })
  await expect.element(cell).toBeVisible()
  for (const part of cell.element().querySelectorAll('span')) expect(part.scrollWidth).toBe(part.clientWidth)
})

test('marks domains that are already in the list before adding, and does not count them', async () => {
  const { bridge, dialog, box, status } = await opened()
  const there = bridge.world.websites[0]?.domain ?? ''
  await box.fill(`a.example\nhttps://www.${there.toUpperCase()}/\nb.example`)
  await expect.element(dialog.getByText('This website is already in this account.')).toBeVisible()
  await expect.element(status).toHaveTextContent('2 websites will be added. 1 line can’t be added.')
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Add 2 websites' }).click()
  await expect
    .poll(() => bridge.requests('bulkCreate'))
    .toMatchObject([{ drafts: [{ domain: 'a.example' }, { domain: 'b.example' }] }])
})

test('says how many websites were added as long as refused lines are left in the text', async () => {
  const { dialog, box, status } = await opened()
  await box.fill('a.example, b.example\nnot one\nc.example')
  await dialog.getByRole('button', { name: 'Add 3 websites' }).click()
  await expect.element(box).toHaveValue('not one')
  await expect.element(status).toHaveTextContent('3 websites saved. 1 line can’t be added.')
  await box.fill('d.example')
  await expect.element(status).toHaveTextContent('1 website will be added.')
})

test('keeps the refused domains of a line with several domains', async () => {
  const { bridge, dialog, box } = await opened()
  bridge.answer('bulkCreate', () =>
    ok({ bulkChange: 'batch', created: 2, refused: [{ row: 1, error: { code: 'disk-full', message: '' } }] }),
  )
  await box.fill('a.example, b.example, c.example')
  await dialog.getByRole('button', { name: 'Add 3 websites' }).click()
  await expect.element(box).toHaveValue('b.example')
  await expect.element(dialog.getByText('The disk is full, so nothing was saved.')).toBeVisible()
})

test('keeps the domains beyond the first 1,000 in the text, even if all are in one line', async () => {
  const { dialog, box } = await opened()
  await box.fill(Array.from({ length: 1002 }, (_, n) => `site-${n}.example`).join(' '))
  await expect
    .element(dialog.getByRole('status'))
    .toMatchTextContent('You can add up to 1,000 websites at once. 2 lines are left over. Add them afterward.')
  await dialog.getByRole('button', { name: 'Add 1,000 websites' }).click()
  await expect.element(box).toHaveValue('site-1000.example\nsite-1001.example')
})

test('the preview of pasted websites shows the settings that differ from the defaults, but only that there is a password', async () => {
  const { dialog, box } = await opened()
  const rows = ['a.example,password,s3cret,yes,no,10.0.0.1 10.0.0.2,ref', 'b.example,,,,,rubbish,']
  await box.fill(['domain,privacy,password,email,bots,ips,params', ...rows].join('\n'))
  const region = dialog.getByRole('region', { name: 'Websites to add' })
  const warning = [
    'Password · Password set · Email reports: On · Exclude bots: Off',
    'Excluded IP addresses: 2 · Excluded URL parameters: 1',
  ].join(' · ')
  await expect.element(region.getByText(warning)).toBeVisible()
  await expect.element(region.getByText(/“rubbish” isn’t an IP address or a range/)).toBeVisible()
  await expect.element(region.getByText('s3cret')).not.toBeInTheDocument()
  await expectAccessible()
})

test('says how many lines have cells that are ignored because no first line names the columns', async () => {
  const { box, status } = await opened()
  await box.fill('a.example\tpublic\nb.example\t')
  await expect
    .element(status)
    .toHaveTextContent('2 websites will be added. 1 line has extra values that will be ignored.')
})

test('removes the rows of queued websites from the text, even a row of several lines, and keeps the other rows', async () => {
  const { bridge, dialog, box } = await opened()
  bridge.answer('bulkCreate', () =>
    ok({ bulkChange: 'batch', created: 1, refused: [{ row: 1, error: { code: 'website-gone', message: '' } }] }),
  )
  await box.fill('domain,ips\na.example,"10.0.0.1\n10.0.0.2"\nb.example,10.0.0.3\nno domain,\nc.example')
  await dialog.getByRole('button', { name: 'Add 3 websites' }).click()
  await expect.element(box).toHaveValue('domain,ips\nb.example,10.0.0.3\nno domain,')
})

test('keeps the pasted text if the websites can’t be stored', async () => {
  const { bridge, dialog, box } = await opened()
  await box.fill('a.example')
  bridge.answer('bulkCreate', () => fail('disk-full'))
  await dialog.getByRole('button', { name: 'Add 1 website' }).click()
  await expect.element(dialog.getByRole('alert')).toBeVisible()
  await expect.element(box).toHaveValue('a.example')
})

test('the user chooses the fields of the pasted columns; each field belongs to one column only', async () => {
  const { dialog, box, status } = await opened()
  await box.fill('1\ta.example\n2\tb.example')
  await expect.element(status).toHaveTextContent('2 lines can’t be added.')
  await dialog.getByRole('combobox', { name: 'Column 2' }).selectOptions('Domain')
  await expect.element(status).toHaveTextContent('2 websites will be added.')
  await expect.element(dialog.getByRole('combobox', { name: 'Column 1' })).toHaveValue('')
  await expect.element(dialog.getByRole('region', { name: 'Websites to add' }).getByText('a.example')).toBeVisible()
  await expectAccessible()
})

test('reads a pasted JSON export as a table', async () => {
  const { dialog, box, status } = await opened()
  const website = { domain: 'a.example', privacy: 0, email: 1, exclude_ips: ['10.0.0.1', '10.0.0.2'], id: '7' }
  await box.fill(JSON.stringify({ format: 'siteward-websites', version: 1, websites: [website] }, null, 2))
  await expect.element(status).toHaveTextContent('1 website will be added.')
  await expect.element(box).toHaveValue('domain,privacy,email,exclude_ips\na.example,0,1,"10.0.0.1\n10.0.0.2"')
  await expect.element(dialog.getByRole('button', { name: 'Add 1 website' })).toBeVisible()
})

test('replaces the text by a file, which can be undone, and checks it line by line', async () => {
  const { bridge, dialog, box, status } = await opened()
  bridge.answer('openList', () => ok('Domain;Privacy\na.example;public\nb.example;nobody\n'))
  await box.fill('typed.example')
  await dialog.getByRole('button', { name: 'Open a file…' }).click()
  await expect.element(status).toHaveTextContent('1 website will be added. 1 line can’t be added.')
  await expect.element(dialog.getByText(/“nobody” isn’t a privacy setting/)).toBeVisible()
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Restore previous text' }).click()
  await expect.element(box).toHaveValue('typed.example')
  await expect.element(box).toHaveFocus()
  bridge.answer('openList', () => fail('not-text'))
  await dialog.getByRole('button', { name: 'Open a file…' }).click()
  await expect.element(dialog.getByRole('alert')).toMatchTextContent(/Couldn’t read this file as text/)
  await expect.element(box).toHaveValue('typed.example')
})

/** Drops files as a browser does. Returns true if the page accepts them. */
function drop(at: Element, ...files: File[]): boolean {
  const dataTransfer = new DataTransfer()
  for (const file of files) dataTransfer.items.add(file)
  const taken = (['dragover', 'drop'] as const).map(
    (type) => !at.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })),
  )
  return taken.every(Boolean)
}

test('opens a file of websites from the palette', async () => {
  const { bridge, screen, keys } = await openApp({ websites: websites(3) })
  await expect.element(screen.getByText('3 websites')).toBeVisible()
  bridge.answer('openList', () => ok('a.example\nb.example'))
  await keys('{Control>}k{/Control}from a file{Enter}')
  await expect.element(page.getByRole('button', { name: 'Add 2 websites' })).toBeVisible()
})

test('reads a dropped file in UTF-16, and reports files that it cannot read', async () => {
  const { box, dialog } = await opened()
  const utf16 = new Uint8Array([0xff, 0xfe, ...[...'ü.example'].flatMap((sign) => [sign.charCodeAt(0), 0])])
  expect(drop(box.element(), new File([utf16], 'list.txt'))).toBe(true)
  await expect.element(box).toHaveValue('ü.example')
  expect(drop(box.element(), new File([new Uint8Array([0xfc])], 'list.txt'))).toBe(true)
  await expect.element(dialog.getByRole('alert')).toMatchTextContent(/Couldn’t read this file as text/)
  expect(drop(box.element(), new File([new Uint8Array(MAX_LIST_FILE + 1)], 'list.txt'))).toBe(true)
  await expect.element(dialog.getByRole('alert')).toMatchTextContent(/too large.*16 MB/)
  await expect.element(box).toHaveValue('ü.example')
})
