import { page } from 'vitest/browser'
import { beforeEach, expect, test } from 'vitest'
import { formatExact } from '../../src/shared/display/format.ts'
import { openApp } from './support/app.ts'
import { aBulkChange, aParked, anAccountView, anAppState, anEdit } from './support/fixtures.ts'

beforeEach(() => page.viewport(1180, 740))

const at = new Date(2026, 10, 12, 13, 5, 7).getTime()
const written = new Date(at).toISOString()
const exact = formatExact(at)

/** Expects that this text stands for the time `when`, and that it shows the exact time on hover. */
async function expectTimed(text: RegExp, when = at): Promise<void> {
  const time = page.getByText(text).first()
  await expect.element(time).toHaveAttribute('datetime', new Date(when).toISOString())
  await expect.element(time).toHaveAttribute('title', formatExact(new Date(when).toISOString()))
}

const offline = { state: 'offline', since: at, error: { code: 'unreachable', message: '' } } as const

test('shows on hover the exact times of the last account read and of going offline', async () => {
  const state = anAppState({ reach: offline })
  const account = { ...anAccountView({ created_at: written }), seenAt: at }
  const { goTo, bridge } = await openApp({ state, account })
  await goTo('Account')
  await expectTimed(/^Updated /)
  await expectTimed(/^Account details as of/)
  await expect.element(page.getByText('Nov 12, 2026', { exact: true })).toHaveAttribute('title', exact)
  await expectTimed(/^Offline since/)
  bridge.setState({ paused: true })
  await expect.element(page.getByText('Sending is paused')).not.toHaveAttribute('title')
  await expectTimed(/Offline since/)
})

test('shows on hover the exact times of both sides of a conflict, of a bulk change and of the next try', async () => {
  const next = Date.now() + 3_600_000
  const edits = [aParked({ theirsAt: at, changedAt: at + 1000 }), anEdit({ reason: 'backoff', nextAt: next })]
  const bulkChange = aBulkChange({ id: 'b', at, websites: 5, sent: 4, waiting: 1 })
  const { goTo } = await openApp({ edits, state: anAppState({ parked: 1, bulkChange }) })
  await goTo('Pending')
  await expectTimed(/^Change to 5 websites/)
  await expectTimed(/^Theirs, as of/)
  await expectTimed(/^Mine, /, at + 1000)
  await expectTimed(/Next attempt/, next)
})

test('shows on hover the exact time of a quarantined file', async () => {
  const counts = { websites: 1, edits: 0, backupAt: null }
  const salvaged = { ...counts, of: 'connection' as const, why: 'damaged' as const, at, quarantined: '/tmp/aside.db' }
  await openApp({ state: anAppState({ salvaged }) })
  await expectTimed(/The old file was moved here/)
})

test('does not say that the file of an early test version was moved, because it stays where it is', async () => {
  const counts = { websites: 0, edits: 0, backupAt: null }
  const salvaged = { ...counts, of: 'app' as const, why: 'unreleased' as const, at, quarantined: '/tmp/early.db' }
  await openApp({ state: anAppState({ salvaged }) })
  await expect.element(page.getByText('The old file is still here: /tmp/early.db')).toBeVisible()
  await expect.element(page.getByText(/was moved/)).not.toBeInTheDocument()
})
