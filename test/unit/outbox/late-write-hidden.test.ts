import { expect, test } from 'vitest'
import { MINUTE, settled } from './clock.ts'
import { must } from './rig.ts'
import { app, clock, record, service, there, useApp } from './rig-app.ts'

/** Tests what a late write changes that the service does not show: the URL parameters. */

useApp(() => service.add('there.example', { email: false, updated_at: '2026-01-01T00:00:00Z' }), { onDisk: true })

async function setParamsTwice(): Promise<void> {
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(there(), { exclude_params: ['old'] }))
  await settled()
  must(await app.outbox.update(there(), { exclude_params: ['new'] }))
  await clock.advance(MINUTE)
  expect(service.updates()).toEqual([{ exclude_params: ['old'] }, { exclude_params: ['new'] }])
}

test('sends the newest value again if an older one may have been applied in the same second', async () => {
  await setParamsTwice()
  // The time stays as our newest was acknowledged.
  await clock.advance(11 * MINUTE)
  expect(service.updates().slice(2)).toEqual([{ exclude_params: ['new'] }])
  await clock.advance(60 * MINUTE)
  expect(service.updates()).toHaveLength(3)
})

test('takes an unchanged time with fractions as proof that nothing was applied', async () => {
  record().updated_at = '2026-01-01T00:00:00.125Z'
  must(await app.refresh.run())
  await setParamsTwice()
  await clock.advance(60 * MINUTE)
  expect(service.updates()).toHaveLength(2)
})

test('takes an unchanged whole second as no proof, even if it is written with a fraction', async () => {
  record().updated_at = '2026-01-01T00:00:00.000000Z'
  must(await app.refresh.run())
  await setParamsTwice()
  await clock.advance(11 * MINUTE)
  expect(service.updates().slice(2)).toEqual([{ exclude_params: ['new'] }])
})

test('detects a late write from one field of each of two requests', async () => {
  const timeless = service.add('timeless.example', { email: true, exclude_ips: [] })
  must(await app.refresh.run())
  const key = app.keyOf('timeless.example')
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(key, { exclude_ips: ['10.0.0.1'], exclude_params: ['old'] }))
  // It's made again, and then followed by a newer list.
  await clock.advance(MINUTE)
  must(await app.outbox.update(key, { exclude_params: ['new'] }))
  await clock.advance(MINUTE)
  expect(app.edits()).toEqual([])
  // The first lands between our next write, the answer to which is lost, and the read that is to tell of it.
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
    // All of it is sent again, also what the read has shown.
    { exclude_ips: ['10.0.0.1', '10.0.0.2'], email: false },
    { exclude_params: ['new'] },
  ])
})

test('takes a value that comes back as a sign for the write-only fields, on a host without times', async () => {
  const timeless = service.add('timeless.example', { email: true })
  must(await app.refresh.run())
  const key = app.keyOf('timeless.example')
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(key, { email: false }))
  await clock.advance(MINUTE)
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(key, { email: true, exclude_params: ['old'] }))
  await clock.advance(MINUTE)
  // Somebody else sets what the first of them may have brought as well.
  service.touch(timeless, { email: false })
  must(await app.outbox.update(key, { exclude_params: ['new'] }))
  await clock.advance(MINUTE)
  const before = service.updates().length
  // The second one lands, whose list nobody can see.
  service.touch(timeless, { email: true })
  await clock.advance(11 * MINUTE)
  expect(service.updates().slice(before)).toEqual([{ exclude_params: ['new'] }])
})

test('does so also if the user has set that value back', async () => {
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
