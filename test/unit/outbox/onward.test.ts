import { expect, test } from 'vitest'
import { fail } from '../../../src/shared/result.ts'
import { settled } from './clock.ts'
import { draft, must } from './rig.ts'
import { app, clock, service, useApp } from './rig-app.ts'

useApp(undefined, { listed: true })

/** Queues three edits, and starts to send the first one. The returned function lets its answer arrive. */
async function threeWait(): Promise<() => void> {
  const release = service.holdAnswer('create')
  for (const domain of ['a.example', 'b.example', 'c.example']) {
    must(await app.outbox.create(draft(domain)))
    await settled()
    await settled()
  }
  expect(service.writes()).toEqual(['create'])
  return release
}

/** Lets each of the next commits succeed, or fail on a full disk. `kinds` lists what the commits stored, and the failures. */
function commits(outcomes: readonly ('done' | 'full')[]): { kinds: string[] } {
  const { write, saveEdit, acknowledge } = app.store
  const left = [...outcomes]
  const seen = { kinds: [] as string[] }
  let does: string[] = []
  app.store.saveEdit = (edit) => {
    if (edit.standing.state === 'sending') does.push('sending')
    saveEdit(edit)
  }
  app.store.acknowledge = (key, record) => {
    does.push('acknowledged')
    acknowledge(key, record)
  }
  app.store.write = (work) => {
    does = []
    const written = write(() => {
      const done = work()
      return left.shift() === 'full' ? fail('disk-full') : done
    })
    seen.kinds.push(`${does.join('+')}${written.ok ? '' : ' (full)'}`)
    return written
  }
  return seen
}

test('the outcome of a request is on disk before the next edit is marked as being sent', async () => {
  const release = await threeWait()
  const seen = commits([])
  release()
  await clock.advance(1_000)
  expect(service.domains()).toEqual(['a.example', 'b.example', 'c.example'])
  expect(seen.kinds).toEqual(['acknowledged', 'sending', 'acknowledged', 'sending', 'acknowledged'])
})

test('settles a create whose acknowledgment could not be stored, once the disk has room', async () => {
  const release = await threeWait()
  commits(['full'])
  release()
  await clock.advance(60 * 60_000)
  expect(service.domains()).toEqual(['a.example', 'b.example', 'c.example'])
  expect(service.writes()).toEqual(['create', 'create', 'create'])
  expect(app.outbox.counts()).toMatchObject({ waiting: 0, parked: 0 })
})

test('sends nothing while the rate limit does not allow it', async () => {
  const release = await threeWait()
  // Requests that the user makes use up the rate limit.
  while (app.budget.tryTake('user'));
  release()
  await clock.advance(50_000)
  expect(service.domains()).toEqual(['a.example'])
  expect(app.edits().map(({ state, reason }) => [state, reason])).toEqual([
    ['held', 'budget'],
    ['held', 'budget'],
  ])
  // The service announces its limit, so from now on the limit is the service's.
  app.budget.recordAnswer({ outcome: 'applied', value: null, meta: { limit: 60, remaining: 0 } })
  expect(app.edits()).toMatchObject([{ reason: 'rate' }, { reason: 'rate' }])
  await clock.advance(60_000)
  expect(service.domains()).toEqual(['a.example', 'b.example', 'c.example'])
})

test('sends no further edit after the outbox was stopped', async () => {
  const release = await threeWait()
  const stopped = app.outbox.stop()
  release()
  await clock.advance(1_000)
  await stopped
  expect(service.domains()).toEqual(['a.example'])
  expect(app.store.editsFrom(0, 10).map(({ standing }) => standing.state)).toEqual(['queued', 'queued'])
})
