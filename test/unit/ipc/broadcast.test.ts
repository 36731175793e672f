import type { WebContents } from 'electron'
import { expect, test } from 'vitest'
import { createBroadcast } from '../../../src/main/ipc/broadcast.ts'
import { createJournal } from '../../../src/main/log/log.ts'
import { defaultSettings } from '../../../src/shared/state.ts'

const SECRET = 'typed-by-a-person-7'

/** Returns a window that records its events. */
function open() {
  const told: unknown[] = []
  const lines: string[] = []
  const { log } = createJournal(
    ({ text }) => lines.push(text),
    () => 0,
  )
  const send = (_channel: string, payload: unknown): void => void told.push(payload)
  const window = { isDestroyed: () => false, send } as unknown as WebContents
  return { told, lines, broadcast: createBroadcast(() => window, log) }
}

test('an event that doesn’t fit the contract is not sent, and nothing of it is logged', () => {
  const { told, lines, broadcast } = open()
  broadcast('websitesChanged', { keys: [{ password: SECRET }] } as never)
  expect(told).toEqual([])
  expect(lines).toEqual(['misfit what=event of=websitesChanged'])
})

test('fields outside the contract stay in main', () => {
  const { told, broadcast } = open()
  broadcast('settingsChanged', { ...defaultSettings, apiKey: SECRET } as never)
  expect(told).toEqual([defaultSettings])
})
