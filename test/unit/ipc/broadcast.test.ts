import type { WebContents } from 'electron'
import { expect, test } from 'vitest'
import { createBroadcast } from '../../../src/main/ipc/broadcast.ts'
import { createJournal } from '../../../src/main/log/log.ts'
import { defaultSettings } from '../../../src/shared/state.ts'

const SECRET = 'typed-by-a-person-7'

function open() {
  const received: unknown[] = []
  const lines: string[] = []
  const { log } = createJournal(
    ({ text }) => lines.push(text),
    () => 0,
  )
  const send = (_channel: string, payload: unknown): void => void received.push(payload)
  const window = { isDestroyed: () => false, send } as unknown as WebContents
  return { received, lines, broadcast: createBroadcast(() => window, log) }
}

test('an event that doesn’t fit the contract is not sent, and nothing of it is logged', () => {
  const { received, lines, broadcast } = open()
  broadcast('websitesChanged', { keys: [{ password: SECRET }] } as never)
  expect(received).toEqual([])
  expect(lines).toEqual(['misfit what=event of=websitesChanged'])
})

test('fields outside the contract stay in main', () => {
  const { received, broadcast } = open()
  broadcast('settingsChanged', { ...defaultSettings, apiKey: SECRET } as never)
  expect(received).toEqual([defaultSettings])
})
