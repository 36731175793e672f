import { beforeEach, expect, test } from 'vitest'
import { createJournal } from '../../../src/main/log/log.ts'
import { createUpdates, CHECK_INTERVAL, type Updater, type Updates } from '../../../src/main/updates/updates.ts'
import { fakeClock, settled, type FakeClock } from '../outbox/clock.ts'

/** A feed that offers `version` and records the calls. Every call fails with `failure` if it is set. */
class Feed implements Updater {
  version: string | null = '0.2.0'
  failure: Error | null = null
  readonly done: string[] = []
  check = (): Promise<string | null> => this.#answer('check', this.version)
  download = (): Promise<void> => this.#answer('download', undefined)
  install(restart: boolean): void {
    this.done.push(restart ? 'install and restart' : 'install')
    if (this.failure !== null) throw this.failure
  }
  #answer<T>(call: string, value: T): Promise<T> {
    this.done.push(call)
    return this.failure === null ? Promise.resolve(value) : Promise.reject(this.failure)
  }
}

let clock: FakeClock
let feed: Feed
let updates: Updates
let lines: string[]
/** The calls that end or restart the app, in order. */
let calls: string[]
/** Reports that no request is being sent. A restart waits for this. */
let letSendingEnd: () => void

/** Creates the updates of a build. `load` returns the updater, or is null in a build without a feed. */
function createWith(load: (() => Promise<Updater>) | null): Updates {
  return createUpdates({
    load,
    after: clock.after,
    sendingAtRest: () => new Promise((resolve) => (letSendingEnd = resolve)),
    quit: () => calls.push('quit'),
    relaunch: () => calls.push('relaunch'),
    onChange: () => undefined,
    log: createJournal(
      ({ text }) => lines.push(text),
      () => 0,
    ).log,
  })
}

beforeEach(() => {
  clock = fakeClock()
  feed = new Feed()
  lines = []
  calls = []
  updates = createWith(() => Promise.resolve(feed))
})

async function ready(): Promise<void> {
  updates.start()
  await settled()
  await updates.download()
}

test('the user can check at any time, two checks never run at once, and the next automatic check is a day after the last check', async () => {
  feed.version = null
  updates.start()
  await Promise.all([updates.check(), updates.check()])
  expect(feed.done).toEqual(['check'])
  await clock.advance(CHECK_INTERVAL / 2)
  feed.version = '0.2.0'
  await updates.check()
  expect(updates.state()).toEqual({ state: 'found', version: '0.2.0', error: null })
  await clock.advance(CHECK_INTERVAL / 2)
  expect(feed.done).toEqual(['check', 'check'])
  await clock.advance(CHECK_INTERVAL / 2)
  expect(feed.done).toEqual(['check', 'check', 'check'])
})

test('without a feed there is no state, no timer and no effect', async () => {
  updates = createWith(null)
  updates.start()
  await updates.download()
  await updates.restart()
  updates.closed()
  expect(updates.state()).toBeNull()
  expect(clock.timers()).toBe(0)
  expect([...calls, ...lines]).toEqual([])
})

test('checks at the start and once a day with one timer, and fetches nothing by itself', async () => {
  updates.start()
  await settled()
  expect(updates.state()).toEqual({ state: 'found', version: '0.2.0', error: null })
  await clock.advance(CHECK_INTERVAL - 1)
  expect(feed.done).toEqual(['check'])
  feed.version = '0.3.0'
  await clock.advance(1)
  expect(feed.done).toEqual(['check', 'check'])
  expect(updates.state()).toMatchObject({ version: '0.3.0' })
  expect(clock.timers()).toBe(1)
  updates.stop()
  expect(clock.timers()).toBe(0)
})

test('a version that is removed from the feed is no longer offered', async () => {
  updates.start()
  await settled()
  feed.version = null
  await clock.advance(CHECK_INTERVAL)
  expect(updates.state()).toEqual({ state: 'none', error: null })
})

test.each(['0.2.0-beta.1', '0.2', 'v0.2.0', '0.2.0\u202e', ''])(
  '%j is no release, and is not offered',
  async (version) => {
    feed.version = version
    updates.start()
    await settled()
    expect(updates.state()).toEqual({ state: 'none', error: null })
    expect(lines).toEqual([])
  },
)

test('a failed check is logged by its code only, and repeated the next day', async () => {
  feed.failure = new Error('net::ERR_FAILED at https://feed.example/latest.yml')
  updates.start()
  await settled()
  expect(updates.state()).toEqual({ state: 'none', error: 'update-failed' })
  expect(lines).toEqual(['updateFailed doing=check code=update-failed'])
  feed.failure = null
  await clock.advance(CHECK_INTERVAL)
  expect(updates.state()).toMatchObject({ state: 'found' })
})

test.each([
  [{ code: 'ERR_UPDATER_INVALID_SIGNATURE' }, 'update-unverified'],
  [{ code: 'ERR_CHECKSUM_MISMATCH' }, 'update-unverified'],
  [{ code: 3, domain: 'SQRLCodeSignatureErrorDomain' }, 'update-unverified'],
  [{ code: 'ENOSPC' }, 'disk-full'],
  [{ code: 'EDQUOT' }, 'disk-full'],
  [{ code: 'ECONNRESET' }, 'update-failed'],
])('a download that fails with %j is reported, installs nothing and can be repeated', async (how, code) => {
  updates.start()
  await settled()
  feed.failure = Object.assign(new Error('no'), how)
  await updates.download()
  expect(updates.state()).toEqual({ state: 'found', version: '0.2.0', error: code })
  updates.closed()
  expect(feed.done).not.toContain('install')
  feed.failure = null
  await updates.download()
  expect(updates.state()).toEqual({ state: 'ready', version: '0.2.0' })
})

test('restarts on request, but not while a change is being sent', async () => {
  await ready()
  const restarting = updates.restart()
  await settled()
  expect(updates.state()).toEqual({ state: 'restarting', version: '0.2.0' })
  expect(calls).toEqual([])
  letSendingEnd()
  await restarting
  expect(calls).toEqual(['quit'])
  expect(feed.done).toEqual(['check', 'download'])
  updates.closed()
  expect(feed.done.at(-1)).toBe('install and restart')
})

test('installs a downloaded version on quit, once everything is closed, and does not start it', async () => {
  await ready()
  await clock.advance(2 * CHECK_INTERVAL)
  expect(feed.done).toEqual(['check', 'download'])
  updates.closed()
  expect(feed.done.at(-1)).toBe('install')
})

test('a version that was found and not fetched is not installed', async () => {
  updates.start()
  await settled()
  await updates.restart()
  updates.closed()
  expect(feed.done).toEqual(['check'])
  expect(calls).toEqual([])
})

test('starts this version again if the installation for a restart fails', async () => {
  await ready()
  const restarting = updates.restart()
  letSendingEnd()
  await restarting
  feed.failure = new Error('no')
  updates.closed()
  expect(calls).toEqual(['quit', 'relaunch'])
  expect(lines.at(-1)).toBe('updateFailed doing=install code=update-failed')
})
