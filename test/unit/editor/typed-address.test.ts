import { expect, test } from 'vitest'
import { onlyAddressIn, correctedAddress, withoutPath, typingErrorIn } from '../../../src/renderer/lib/typed-address.ts'

test.each([
  ['stats.example.com', 'https://stats.example.com', ''],
  ['https://stats.example.com/api/v1/websites?page=2', 'https://stats.example.com', '/api/v1/websites?page=2'],
  ['HTTPS://Stats.Example.com/', 'https://stats.example.com', ''],
  ['stats.example.com/analytics/api/v1#top', 'https://stats.example.com/analytics', '/api/v1#top'],
  ['localhost:8787', 'http://localhost:8787', ''],
  ['https://stats.example.com:443', 'https://stats.example.com', ''],
])('corrects %s to %s and cuts off “%s”', (typed, address, cut) =>
  expect(correctedAddress(typed)).toEqual({ address, cut }),
)

test.each([
  'https://stats.example.com',
  'https://stats.example.com/',
  'http://10.0.0.1/a',
  '',
  'ftp://a.example',
  'a b',
])('corrects nothing in “%s”', (typed) => expect(correctedAddress(typed)).toBeNull())

test.each([
  ['stats example.com', 'spaces'],
  ['ftp://stats.example', 'scheme'],
  ['https://ada:secret@stats.example', 'login'],
  ['ada@stats.example', 'login'],
  ['https:/', null],
  ['stats.', null],
  ['https://stats.example/@ada', null],
])('the error in the typed address %s, null if there is none: %s', (typed, wrong) =>
  expect(typingErrorIn(typed)).toBe(wrong),
)

test('finds an address in the text around it, if there is only one', () => {
  expect(onlyAddressIn(`curl --request GET 'https://stats.example/api/v1/account' \\\n --header 'Accept: json'`)).toBe(
    'https://stats.example/api/v1/account',
  )
  expect(onlyAddressIn('https://stats.example')).toBeNull()
  expect(onlyAddressIn('either https://a.example or https://b.example')).toBeNull()
  expect(onlyAddressIn('two words')).toBeNull()
})

test('removes a path that may be the path of a page, but not one of the API', () => {
  expect(withoutPath('stats.example/dashboard')).toBe('https://stats.example')
  expect(withoutPath('stats.example/api/v1')).toBeNull()
})
