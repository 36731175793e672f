import { expect, test } from 'vitest'
import { settled } from '../outbox/clock.ts'
import { draft, must } from '../outbox/rig.ts'
import { useBulk, WEBSITES } from './rig.ts'

const rig = useBulk({}, 'other.example')

const listed = () => rig.app.bulk.websites(1).websites
const results = () => listed().map(({ domain, is }) => [domain, is])

test('lists the websites of a bulk change by their results, with the reason of those that need attention, even after a restart', async () => {
  expect(rig.app.bulk.websites(1)).toEqual({ websites: [], pages: 1 })
  await rig.app.bulk.apply(rig.keys('w'), { email: true })
  must(rig.app.outbox.undo(rig.app.edits().find(({ domain }) => domain === 'w0.example')?.id ?? ''))
  rig.service.fail('update', { refuse: 'invalid', fields: { email: ['The plan has none.'] } })
  await rig.app.online()
  await rig.app.offline()
  const parked = rig.app.edits()[0]?.domain ?? expect.fail('nothing is parked')
  for (const look of [() => settled(), rig.restart]) {
    await look()
    expect(results().slice(0, 2)).toEqual([
      [parked, 'parked'],
      ['w0.example', 'notSent'],
    ])
    expect(results().slice(2)).toHaveLength(WEBSITES - 2)
    expect(
      new Set(
        results()
          .slice(2)
          .map(([, is]) => is),
      ),
    ).toEqual(new Set(['sent']))
    expect(listed()[0]?.edit?.error?.fields).toEqual({ email: ['The plan has none.'] })
    expect(listed().every(({ exists }) => exists)).toBe(true)
    expect(
      listed()
        .slice(1)
        .every(({ edit }) => edit === null),
    ).toBe(true)
  }
})

test('marks the results as sent when the edits are sent, and lists none after the user dismisses the results', async () => {
  await rig.app.bulk.apply(rig.keys('w'), { email: true })
  expect(results().map(([, is]) => is)).toEqual(Array(WEBSITES).fill('waiting'))
  await rig.app.online()
  await settled()
  expect(results().map(([, is]) => is)).toEqual(Array(WEBSITES).fill('sent'))
  must(rig.app.outcome.dismiss())
  expect(results()).toEqual([])
})

test('lists the websites of each result in the order of the preview, however their results came in', async () => {
  const keys = rig.keys('w').toReversed()
  const preview = await rig.app.bulk.preview(keys, { email: true }, 1)
  await rig.app.bulk.apply(keys, { email: true })
  for (const at of [4, 1, 2]) {
    must(rig.app.outbox.undo(rig.app.edits().find(({ website }) => website === keys[at])?.id ?? ''))
    await settled()
    listed()
  }
  const [first, second, third, fourth, fifth] = preview.rows.map(({ domain }) => domain)
  for (const look of [() => settled(), rig.restart]) {
    await look()
    expect(results().map(([domain]) => domain)).toEqual([first, fourth, second, third, fifth])
  }
})

test('keeps websites that no longer exist in the list of a bulk change, and marks them', async () => {
  await rig.app.bulk.create(['a', 'b', 'c'].map((name) => draft(`${name}.example`)))
  for (const name of ['a', 'b']) must(await rig.app.outbox.delete(rig.app.keyOf(`${name}.example`)))
  for (const look of [() => settled(), rig.restart]) {
    await look()
    expect(listed().map(({ domain, is, exists }) => [domain, is, exists])).toEqual([
      ['c.example', 'waiting', true],
      ['a.example', 'notSent', false],
      ['b.example', 'notSent', false],
    ])
  }
})

test('a bulk create lists an adopted website under the key that it has in the website list', async () => {
  await rig.app.online()
  await rig.app.offline()
  await rig.app.bulk.create([draft('x.example'), draft('y.example')])
  rig.service.add('x.example', { email: true })
  await rig.app.online(30_000)
  await settled()
  const parked = rig.app.edits().find(({ state }) => state === 'parked') ?? expect.fail('nothing is parked')
  must(await rig.app.refresh.run())
  must(await rig.app.outbox.resolve(parked.id, { way: 'adopt' }))
  await settled()
  expect(
    listed()
      .map(({ key }) => key)
      .toSorted(),
  ).toEqual([...rig.keys('x.e'), ...rig.keys('y.e')].toSorted())
})

test('divides many websites into pages', async () => {
  await rig.app.bulk.create(Array.from({ length: 120 }, (_, n) => draft(`n${n}.example`)))
  const pages = [1, 2, 3].map((page) => rig.app.bulk.websites(page))
  expect(pages.map(({ websites, pages }) => [websites.length, pages])).toEqual([
    [50, 3],
    [50, 3],
    [20, 3],
  ])
  expect(new Set(pages.flatMap(({ websites }) => websites.map(({ key }) => key))).size).toBe(120)
})
