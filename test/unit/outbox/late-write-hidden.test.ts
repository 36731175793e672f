import { expect, test } from 'vitest'
import { MINUTE, settled } from './clock.ts'
import { must } from './rig.ts'
import { app, clock, record, service, existingKey, useApp } from './rig-app.ts'

/** Tests late writes of a field that the service does not show: the URL parameters. */

useApp(() => service.add('there.example', { email: false, updated_at: '2026-01-01T00:00:00Z' }), { onDisk: true })

/** Loses a request that sets the URL parameters, and then sends newer ones. */
async function setParamsTwice(): Promise<void> {
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(existingKey(), { exclude_params: ['old'] }))
  await settled()
  must(await app.outbox.update(existingKey(), { exclude_params: ['new'] }))
  await clock.advance(MINUTE)
  expect(service.updates()).toEqual([{ exclude_params: ['old'] }, { exclude_params: ['new'] }])
}

test('sends the newest URL parameters again if a late write of older ones may have been applied in the same second', async () => {
  await setParamsTwice()
  // The record still has the `updated_at` with which our newest value was acknowledged.
  await clock.advance(11 * MINUTE)
  expect(service.updates().slice(2)).toEqual([{ exclude_params: ['new'] }])
  await clock.advance(60 * MINUTE)
  expect(service.updates()).toHaveLength(3)
})

test('an unchanged `updated_at` with fractions of a second proves that no late write was applied', async () => {
  record().updated_at = '2026-01-01T00:00:00.125Z'
  must(await app.refresh.run())
  await setParamsTwice()
  await clock.advance(60 * MINUTE)
  expect(service.updates()).toHaveLength(2)
})

test('an unchanged `updated_at` of a whole second proves nothing, even if it is written with a fraction of zero', async () => {
  record().updated_at = '2026-01-01T00:00:00.000000Z'
  must(await app.refresh.run())
  await setParamsTwice()
  await clock.advance(11 * MINUTE)
  expect(service.updates().slice(2)).toEqual([{ exclude_params: ['new'] }])
})

test('detects a late write if a read shows one field of it and one field of our latest request', async () => {
  const timeless = service.add('timeless.example', { email: true, exclude_ips: [] })
  must(await app.refresh.run())
  const key = app.keyOf('timeless.example')
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(key, { exclude_ips: ['10.0.0.1'], exclude_params: ['old'] }))
  // The lost request is sent again, and newer URL parameters are sent after it.
  await clock.advance(MINUTE)
  must(await app.outbox.update(key, { exclude_params: ['new'] }))
  await clock.advance(MINUTE)
  expect(app.edits()).toEqual([])
  // The first request takes effect late: after our next write, whose answer is lost, and before the read about that write.
  service.fail('update', { lost: 'answer' })
  service.before = (operation) => {
    if (operation !== 'get' || timeless.email !== false) return
    service.before = () => {}
    service.touch(timeless, { exclude_ips: ['10.0.0.1'] })
  }
  const before = service.updates().length
  must(await app.outbox.update(key, { exclude_ips: ['10.0.0.1', '10.0.0.2'], email: false }))
  await clock.advance(11 * MINUTE)
  expect(service.updates().slice(before)).toEqual([
    { exclude_ips: ['10.0.0.1', '10.0.0.2'], email: false },
    // The whole update is sent again, even the values that the read has shown.
    { exclude_ips: ['10.0.0.1', '10.0.0.2'], email: false },
    { exclude_params: ['new'] },
  ])
})

test('sends the write-only fields again if a visible field shows the value of a lost request again, on a host without times', async () => {
  const timeless = service.add('timeless.example', { email: true })
  must(await app.refresh.run())
  const key = app.keyOf('timeless.example')
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(key, { email: false }))
  await clock.advance(MINUTE)
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(key, { email: true, exclude_params: ['old'] }))
  await clock.advance(MINUTE)
  // Another client sets a value that the first request may have set too.
  service.touch(timeless, { email: false })
  must(await app.outbox.update(key, { exclude_params: ['new'] }))
  await clock.advance(MINUTE)
  const before = service.updates().length
  // The second request takes effect late. It also sets URL parameters, which no read shows.
  service.touch(timeless, { email: true })
  await clock.advance(11 * MINUTE)
  expect(service.updates().slice(before)).toEqual([{ exclude_params: ['new'] }])
})

test('sends the write-only fields again even if the user has set the visible value of the late write back', async () => {
  const timeless = service.add('timeless.example', { email: false })
  must(await app.refresh.run())
  const key = app.keyOf('timeless.example')
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(key, { email: true, exclude_params: ['old'] }))
  await settled()
  must(app.outbox.undo(app.edits()[0]?.id ?? ''))
  must(await app.outbox.update(key, { exclude_params: ['new'] }))
  await clock.advance(2 * MINUTE)
  expect(app.edits()).toEqual([])
  const before = service.updates().length
  service.touch(timeless, { email: true })
  must(await app.refresh.run())
  must(await app.outbox.update(key, { email: false }))
  await clock.advance(11 * MINUTE)
  expect(service.updates().slice(before)).toEqual([{ email: false }, { exclude_params: ['new'] }])
})
