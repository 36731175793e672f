import type { App, PowerMonitor } from 'electron'
import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { quitInOrder } from '../../../src/main/shell/quit.ts'

/** An app that ends when its quit isn't held back, and a close that takes until it's let through. */
function start() {
  const steps: string[] = []
  const [events, power] = [new EventEmitter(), new EventEmitter()]
  const closing = Promise.withResolvers<void>()
  const quit = () => {
    let held = false
    events.emit('before-quit', { preventDefault: () => (held = true) })
    steps.push(held ? 'held back' : 'ended')
  }
  const isQuitting = quitInOrder({
    app: Object.assign(events, { quit }) as unknown as App,
    power: power as unknown as PowerMonitor,
    release: () => undefined,
    close() {
      steps.push('closing')
      return closing.promise
    },
    last: () => void steps.push('last'),
    log: () => undefined,
  })
  return { steps, quit, closing, isQuitting, shutdown: () => power.emit('shutdown') }
}

/** The last quit comes in a turn of its own. */
async function settled(): Promise<void> {
  await new Promise(setImmediate)
  await new Promise(setImmediate)
}

test('a quit waits until all is put down, however often it’s asked for', async () => {
  const { steps, quit, closing, isQuitting } = start()
  expect(isQuitting()).toBe(false)
  quit()
  quit()
  expect(isQuitting()).toBe(true)
  expect(steps).toEqual(['closing', 'held back', 'held back'])
  closing.resolve()
  await settled()
  expect(steps.slice(3)).toEqual(['last', 'ended'])
})

test('what can’t be put down holds no quit back for ever, and nothing comes after it', async () => {
  const { steps, quit, closing } = start()
  quit()
  closing.reject(new Error('planted'))
  await settled()
  expect(steps).toEqual(['closing', 'held back', 'ended'])
})

test('a system that ends isn’t held back, what can be put down at once is, and no newer version is installed', async () => {
  const { steps, quit, closing, shutdown } = start()
  shutdown()
  quit()
  expect(steps).toEqual(['closing', 'ended'])
  closing.resolve()
  await settled()
  expect(steps).not.toContain('last')
})

test('a system that ends while a quit is under way isn’t held back either', () => {
  const { steps, quit, shutdown } = start()
  quit()
  shutdown()
  quit()
  expect(steps).toEqual(['closing', 'held back', 'ended'])
})
