import { expect, test } from 'vitest'
import type { WebsiteView } from '../../../src/shared/website.ts'
import { rowState } from '../../../src/renderer/features/websites/row-state.ts'

const website = (more: Partial<WebsiteView>): WebsiteView => ({
  key: 'a',
  id: '1',
  domain: 'a.example',
  state: 'synced',
  pending: [],
  extra: {},
  ...more,
})

test.each([
  [{}, undefined, undefined],
  [{ state: 'parked' }, 'Needs attention', undefined],
  [{ state: 'changed', pending: ['email'] }, 'Pending', 'Pending: Email reports'],
] as const)('the row of a website with %j shows this state (undefined if none): %s', (more, text, title) => {
  const state = rowState(website({ ...more, pending: 'pending' in more ? [...more.pending] : [] }))
  expect([state?.text, state?.title]).toEqual([text, title])
})
