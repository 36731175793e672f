import type { App, PowerMonitor } from 'electron'
import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { quitInOrder } from '../../../src/main/shell/quit.ts'

/** Creates an app that ends when it quits, unless the quit is prevented. The test decides when `close` has finished. */
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
    onClosed: () => void steps.push('last'),
    log: () => undefined,
  })
  return { steps, quit, closing, isQuitting, shutdown: () => power.emit('shutdown') }
}

/** Waits for the last quit, which comes in a later turn of the event loop. */
async function settled(): Promise<void> {
  await new Promise(setImmediate)
  await new Promise(setImmediate)
}

test('quits once everything is closed, even if asked several times', async () => {
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

test('quits even if closing fails, and then installs no update', async () => {
  const { steps, quit, closing } = start()
  quit()
  closing.reject(new Error('planted'))
  await settled()
  expect(steps).toEqual(['closing', 'held back', 'ended'])
})

test('does not delay a shutdown, closes what it can, and installs no update', async () => {
  const { steps, quit, closing, shutdown } = start()
  shutdown()
  quit()
  expect(steps).toEqual(['closing', 'ended'])
  closing.resolve()
  await settled()
  expect(steps).not.toContain('last')
})

test('does not delay a shutdown that comes during a quit', () => {
  const { steps, quit, shutdown } = start()
  quit()
  shutdown()
  quit()
  expect(steps).toEqual(['closing', 'held back', 'ended'])
})
