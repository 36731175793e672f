import { expect, test } from 'vitest'
import { previewOf } from '../../../src/main/ipc/preview.ts'
import type { EditView } from '../../../src/shared/edit.ts'

const waiting = (change: Partial<EditView>): EditView =>
  ({ kind: 'update', state: 'queued', settings: {}, password: false, ...change }) as EditView

test('a change is shown as the request that it becomes, the password masked', () => {
  const changes = { privacy: 2 as const, exclude_ips: ['203.0.113.7', '::1'] }
  expect(previewOf({ key: 'w1', changes, masked: true }, '7', [])).toEqual({
    method: 'PUT',
    path: '/api/v1/websites/7',
    form: [
      ['privacy', '2'],
      ['password', '••••••••'],
      ['exclude_ips', '203.0.113.7\n::1'],
    ],
  })
})

test('what waits for the same website goes with it; what is on its way doesn’t', () => {
  const asked = { key: 'w1', changes: { email: true }, masked: false }
  const earlier = { settings: { exclude_bots: false }, password: true }
  expect(previewOf(asked, '7', [waiting({ ...earlier, state: 'held' })]).form).toEqual([
    ['privacy', '2'],
    ['password', '••••••••'],
    ['email', '1'],
    ['exclude_bots', '0'],
  ])
  expect(previewOf(asked, '7', [waiting({ ...earlier, state: 'sending' })]).form).toEqual([['email', '1']])
  // Another privacy has no use for the password that waits.
  const toPublic = { ...asked, changes: { privacy: 0 as const } }
  expect(previewOf(toPublic, '7', [waiting({ ...earlier, settings: { privacy: 2 } })]).form).toEqual([['privacy', '0']])
})

test('a new website is shown whole, its domain as the service writes it', () => {
  const draft = {
    domain: 'https://www.Example.com/',
    privacy: 1 as const,
    email: false,
    exclude_bots: true,
    exclude_ips: [],
    exclude_params: ['ref'],
  }
  expect(previewOf({ key: null, draft, masked: false }, null, [])).toEqual({
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
