import { expect, test } from 'vitest'
import { must } from '../outbox/rig.ts'
import { domains, record, store, useStore } from './rig.ts'

useStore()

test('finds any part of a domain in any case, and takes % and _ literally', () => {
  const run = must(store.beginRun())
  must(store.savePage({ run, mark: store.mark(), position: 0, websites: [record('1', 'Shop.Example'), record('2')] }))
  expect(domains('id', 'asc', 'P.EX')).toEqual(['Shop.Example'])
  for (const none of ['%', '_', '\\', 'shop %', 'shop _', 'shop \\']) expect(domains('id', 'asc', none)).toEqual([])
  expect(domains('id', 'asc', 'EX Shop')).toEqual(['Shop.Example'])
  expect(store.matching('example')).toBe(2)
  expect(store.matching(' ')).toBe(2)
})

test('finds %, _ and \\ in a domain', () => {
  const run = must(store.beginRun())
  const odd = ['a%b.example', 'a_b.example', 'a\\b.example', 'axb.example']
  const websites = odd.map((domain, n) => record(String(n + 1), domain))
  must(store.savePage({ run, mark: store.mark(), position: 0, websites }))
  for (const domain of odd) {
    expect(domains('id', 'asc', domain)).toEqual([domain])
    expect(domains('id', 'asc', `example ${domain.slice(0, 3)}`)).toEqual([domain])
  }
})

test('finds an international domain by each part of its Unicode form and of its stored form', () => {
  const international = [
    'xn--mnchen-3ya.Example',
    'XN--Bcher-kva.shop.example',
    'xn--r8jz45g.example',
    'xn--mxa9ab.example',
  ]
  // One domain can't be decoded, and one is stored in its Unicode form, as some services do.
  const websites = [...international, 'xn--99999999.example', 'Straße.example', 'plain.example']
  const run = must(store.beginRun())
  const records = websites.map((domain, n) => record(String(n + 1), domain))
  must(store.savePage({ run, mark: store.mark(), position: 0, websites: records }))
  const found = (search: string) => domains('id', 'asc', search)
  const [munich, books, example, greek] = international
  for (const typed of [
    'münchen',
    'MÜNCHEN',
    'mu\u0308nchen',
    'ünch',
    'münch exam',
    'n.ex mün',
    'xn--mnchen',
    'chen.exam',
  ]) {
    expect(found(typed), typed).toEqual([munich])
  }
  expect(found('ücher.sh')).toEqual([books])
  expect(found('例え')).toEqual([example])
  expect(found('例え。')).toEqual([example])
  expect(found('え')).toEqual([example])
  expect(found('ΣΑΣ')).toEqual([greek])
  expect(found('STRASSE')).toEqual([])
  expect(found('STRAẞE')).toEqual(['Straße.example'])
  // A browser's address bar copies a domain in this form.
  expect(found('xn--strae-oqa.example')).toEqual(['Straße.example'])
  expect(found('shop xn--strae-oqa')).toEqual([])
  expect(found('xn--999')).toEqual(['xn--99999999.example'])
  expect(found('ü')).toEqual([munich, books])
  // The search does not ignore characters that no domain can contain.
  expect(found('ü/x')).toEqual([])
  expect(found('\u0301')).toEqual([])
  expect(store.matching('ü')).toBe(2)
  expect(store.keys({ search: 'ü', sort_by: 'domain', sort: 'asc' })).toHaveLength(2)
})
