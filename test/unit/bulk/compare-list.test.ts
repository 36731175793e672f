import { expect, test } from 'vitest'
import { compareDomainList } from '../../../src/main/bulk/compare-list.ts'
import { createDefaults } from '../../../src/shared/fields.ts'
import { must } from '../outbox/rig.ts'
import { useBulk } from './rig.ts'

const bulk = useBulk()

test('compares a list of domains with the websites of the view, including one whose create is not sent yet', async () => {
  const { outbox, view } = bulk.app
  must(await outbox.create({ ...createDefaults, domain: 'queued.example' }))
  const compared = compareDomainList(
    ['w1.example', 'queued.example', 'new.example', 'new.example'],
    must(view.domains()),
  )
  expect(compared).toMatchObject({ both: ['w1.example', 'queued.example'], missing: ['new.example'], unlistedCount: 4 })
  expect(compared.unlisted.map(({ domain }) => domain)).toEqual([
    'w0.example',
    'w2.example',
    'w3.example',
    'w4.example',
  ])
})

test('a domain whose website is being deleted counts as missing, and its website is not selected', async () => {
  const { outbox, view } = bulk.app
  must(await outbox.delete(bulk.app.keyOf('w1.example')))
  const compared = compareDomainList(['w1.example'], must(view.domains()))
  expect(compared).toMatchObject({ both: [], missing: ['w1.example'], unlistedCount: 4 })
})

test('compares domains regardless of case, a leading www and Punycode, but www.example is not example', () => {
  const websites = ['WWW.Shop.Example', 'münchen.example', 'www.example'].map((domain) => ({ key: domain, domain }))
  const { both, missing, unlisted } = compareDomainList(['shop.example', 'xn--mnchen-3ya.example', 'example'], websites)
  expect([both, missing, unlisted.map(({ domain }) => domain)]).toEqual([
    ['shop.example', 'xn--mnchen-3ya.example'],
    ['example'],
    ['www.example'],
  ])
})

test('names at most 20,000 websites that are not listed, and counts all of them, within two seconds', () => {
  const websites = Array.from({ length: 200_000 }, (_, n) => ({ key: `k${n}`, domain: `w${n}.example` }))
  const listed = websites.slice(0, 10_000).map(({ domain }) => domain)
  const began = performance.now()
  const compared = compareDomainList(listed, websites)
  expect(performance.now() - began).toBeLessThan(2000)
  expect([compared.both.length, compared.unlisted.length, compared.unlistedCount]).toEqual([10_000, 20_000, 190_000])
})
