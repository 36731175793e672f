import { expect, test } from 'vitest'
import { fullErrorText } from '../../../src/messages/errors.ts'
import { fail } from '../../../src/shared/result.ts'

/** Returns a text without the characters that isolate a text of the user or the service in it. */
const plain = (text: string): string => text.replaceAll(/[\u2066-\u2069]/g, '')

test('names the fields that aren’t valid where no field is marked', () => {
  const { error } = fail('invalid-input', { fields: { domain: ['This domain is already in this account.'] } })
  expect(plain(fullErrorText(error))).toBe(
    'Some of the values aren’t valid. Domain: This domain is already in this account.',
  )
  expect(fullErrorText(fail('website-gone').error)).toMatch(/^This website no longer exists\. .*add it again\.$/)
})

test('does not point to marked fields if the error names none', () => {
  expect(fullErrorText(fail('invalid-input').error)).toBe(
    'Some of the values aren’t valid. Check the values, then try again.',
  )
})
