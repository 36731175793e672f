import { expect, test } from 'vitest'
import { requestPreviewOf } from '../../../src/main/ipc/preview.ts'
import type { EditView } from '../../../src/shared/edit.ts'

const waiting = (change: Partial<EditView>): EditView =>
  ({ kind: 'update', state: 'queued', settings: {}, password: false, ...change }) as EditView

test('shows the request of a change, with the password masked', () => {
  const changes = { privacy: 2 as const, exclude_ips: ['203.0.113.7', '::1'] }
  expect(requestPreviewOf({ key: 'w1', changes, masked: true }, '7', [])).toEqual({
    method: 'PUT',
    path: '/api/v1/websites/7',
    form: [
      ['privacy', '2'],
      ['password', '••••••••'],
      ['exclude_ips', '203.0.113.7\n::1'],
    ],
  })
})

test('includes the pending changes of the website, but not one that is being sent', () => {
  const request = { key: 'w1', changes: { email: true }, masked: false }
  const earlier = { settings: { exclude_bots: false }, password: true }
  expect(requestPreviewOf(request, '7', [waiting({ ...earlier, state: 'held' })]).form).toEqual([
    ['privacy', '2'],
    ['password', '••••••••'],
    ['email', '1'],
    ['exclude_bots', '0'],
  ])
  expect(requestPreviewOf(request, '7', [waiting({ ...earlier, state: 'sending' })]).form).toEqual([['email', '1']])
  // A password that the user must enter again is not part of the request.
  const lost = waiting({ ...earlier, state: 'parked', reason: 'password' })
  expect(requestPreviewOf(request, '7', [lost]).form).toEqual([
    ['email', '1'],
    ['exclude_bots', '0'],
  ])
  // A pending password is not sent with a privacy that needs none.
  const toPublic = { ...request, changes: { privacy: 0 as const } }
  expect(requestPreviewOf(toPublic, '7', [waiting({ ...earlier, settings: { privacy: 2 } })]).form).toEqual([
    ['privacy', '0'],
  ])
})

test('shows a new website in full, with its normalized domain', () => {
  const draft = {
    domain: 'https://www.Example.com/',
    privacy: 1 as const,
    email: false,
    exclude_bots: true,
    exclude_ips: [],
    exclude_params: ['ref'],
  }
  expect(requestPreviewOf({ key: null, draft, masked: false }, null, [])).toEqual({
    method: 'POST',
    path: '/api/v1/websites',
    form: [
      ['domain', 'example.com'],
      ['privacy', '1'],
      ['email', '0'],
      ['exclude_bots', '1'],
      ['exclude_params', 'ref'],
    ],
  })
})
