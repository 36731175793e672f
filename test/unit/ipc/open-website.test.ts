import { expect, test, vi } from 'vitest'
import { websiteHandlers } from '../../../src/main/ipc/websites.ts'
import type { Connections } from '../../../src/main/connection/connections.ts'
import { useRig } from '../connection/rig.ts'

const rig = useRig()

/**
 * Connects an account with one website, whose key is `key`.
 * `address` replaces the service's address. `template` is the address of the statistics that the user chose.
 * `opened` lists the opened addresses, and `copied` the copied texts. `askAgain` is called when the keychain may ask the user
 * again.
 */
async function handlers(address?: string, domain = 'a.example', template?: string) {
  const host = await rig().host({ id: 1, key: 'k', websites: [domain] })
  await rig().connected(host.address, 'k')
  const { connections } = rig()
  await expect.poll(() => connections.active()?.view.total()).toBe(1)
  const view = connections.view()
  const shown = address === undefined || view === null ? view : { ...view, address }
  const opened: string[] = []
  const copied: string[] = []
  const askAgain = vi.fn()
  const { openWebsite, copyDomains, refresh } = websiteHandlers(
    { ...connections, view: () => shown } as Connections,
    (url) => void opened.push(url),
    () => ({ statisticsAddresses: template === undefined || view === null ? {} : { [view.id]: template } }),
    (text) => void copied.push(text),
    askAgain,
  )
  const page = await connections
    .active()
    ?.view.find({ search: '', search_by: 'domain', sort_by: 'id', sort: 'asc', page: 1, per_page: 10, filters: [] })
  const key = page?.ok ? (page.value.websites[0]?.key ?? '') : ''
  return { openWebsite, opened, key, copyDomains, copied, refresh, askAgain }
}

test('opens the website and its statistics at addresses that main builds from the replica', async () => {
  const { openWebsite, opened, key } = await handlers('https://stats.example/base')
  expect(await openWebsite({ key, page: 'website' })).toEqual({ ok: true, value: undefined })
  expect(await openWebsite({ key, page: 'statistics' })).toEqual({ ok: true, value: undefined })
  expect(opened).toEqual(['https://a.example/', 'https://stats.example/base/a.example'])
})

test('copies the domains of the websites, one on each line, without websites that no longer exist', async () => {
  const { copyDomains, copied, key } = await handlers()
  expect(await copyDomains({ keys: [key, 'unknown', key] })).toEqual({ ok: true, value: 2 })
  expect(copied).toEqual(['a.example\na.example'])
})

test('opens no statistics of a service with an http address, and no website that is not in the list', async () => {
  const { openWebsite, opened, key } = await handlers()
  expect(await openWebsite({ key, page: 'statistics' })).toMatchObject({ error: { code: 'bad-address' } })
  expect(await openWebsite({ key: 'unknown', page: 'website' })).toMatchObject({ error: { code: 'website-gone' } })
  expect(opened).toEqual([])
})

test('opens no website whose domain is not valid', async () => {
  const { openWebsite, opened, key } = await handlers('https://stats.example', 'a domain:none')
  expect(await openWebsite({ key, page: 'website' })).toMatchObject({ error: { code: 'bad-address' } })
  expect(opened).toEqual([])
})

test('opens the statistics at the address that the user chose for the account', async () => {
  const { openWebsite, opened, key } = await handlers(undefined, 'a.example', 'https://stats.example/?site={domain}')
  expect(await openWebsite({ key, page: 'statistics' })).toEqual({ ok: true, value: undefined })
  expect(opened).toEqual(['https://stats.example/?site=a.example'])
})

test.each(['http://stats.example/{domain}', 'file:///{domain}', '{service}/{domain}', '{domain}', '$&'])(
  'opens no statistics at %s, which is not https',
  async (template) => {
    const { openWebsite, opened, key } = await handlers(undefined, 'a.example', template)
    expect(await openWebsite({ key, page: 'statistics' })).toMatchObject({ error: { code: 'bad-address' } })
    expect(opened).toEqual([])
  },
)

test('a refresh that the user asks for lets the keychain be asked again for the secrets that it has refused', async () => {
  const { refresh, askAgain } = await handlers()
  expect(await refresh(undefined)).toMatchObject({ ok: true })
  expect(askAgain).toHaveBeenCalledOnce()
})
