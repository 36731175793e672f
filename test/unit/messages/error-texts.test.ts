import { expect, test } from 'vitest'
import {
  checkErrorText,
  editErrorText,
  fullErrorText,
  refreshErrorText,
  refreshProblemText,
} from '../../../src/messages/errors.ts'
import { fail } from '../../../src/shared/result.ts'

/** Removes the invisible characters around a text of the user or the service. */
const plain = (text: string): string => text.replaceAll(/[\u2066-\u2069]/g, '')

test('the full text of an error names the fields that aren’t valid, for places where no field is marked', () => {
  const { error } = fail('invalid-input', { fields: { domain: ['This domain is already in this account.'] } })
  expect(plain(fullErrorText(error))).toBe(
    'Some of the values aren’t valid. Domain: This domain is already in this account.',
  )
  expect(fullErrorText(fail('website-gone').error)).toMatch(/^This website no longer exists\. .*add it again\.$/)
})

test('the full text of an error about values does not refer to marked fields if the error names no field', () => {
  expect(fullErrorText(fail('invalid-input').error)).toBe(
    'Some of the values aren’t valid. Check the values, then try again.',
  )
})

test('a connection test says that the proxy blocked the connection only if the proxy forbids it, as the service may be down otherwise', () => {
  expect(checkErrorText('proxy-refused')).toMatch(/^Your proxy blocked the connection/)
  expect(checkErrorText('proxy-failed')).toMatch(/^Your proxy couldn’t connect .* Try again later\./)
})

test('a refresh or a check that the service rejected does not say that a change was rejected', () => {
  const { error } = fail('invalid', { status: 422 })
  const text = 'The service rejected the request. Try again later, or contact the administrator of the service.'
  expect(refreshErrorText(error)).toBe(text)
  expect(checkErrorText('invalid')).toBe(text)
  expect(refreshProblemText(error)).toBe('The service rejected the request.')
})

test('the error of a new website does not say that the website was not found, nor advise to refresh the list', () => {
  const { error } = fail('not-found', { status: 404 })
  expect(editErrorText('create', error)).toEqual({
    problem: 'The service rejected this change.',
    advice: 'Try again later, or contact the administrator of the service.',
  })
  expect(editErrorText('update', error).problem).toBe('The service couldn’t find this website.')
})

test('the error of a forbidden change does not say that the plan lacks API access, because other requests are accepted', () => {
  const { problem, advice } = editErrorText('update', fail('forbidden', { status: 403 }).error)
  expect(problem).toBe('Your account isn’t allowed to do this.')
  expect(advice).toBe('Try again later, or contact the administrator of the service.')
})
