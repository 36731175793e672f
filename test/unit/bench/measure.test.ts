import { expect, test } from 'vitest'
import { compare, inTurn, type Figure } from '../../bench/measure.ts'

const figure = (given: Partial<Figure>): Figure => ({
  what: 'start',
  ours: [3, 1, 2],
  baseline: [1, 2, 1],
  against: 'a bare app',
  unit: 'ms',
  goal: { times: 2 },
  ...given,
})

test('the ratio compares medians, or the given percentile, and a ratio equal to its goal meets the goal', () => {
  expect(compare('start', figure({}))).toEqual({ name: 'start', ratio: 2, goal: 2, met: true })
  expect(compare('start', figure({ goal: { times: 1.9 } }))).toMatchObject({ goal: 1.9, met: false })
  expect(compare('start', figure({ percentile: 0.95 }))).toMatchObject({ ratio: 1.5, met: true })
})

test('a goal for the difference from the baseline is reported as a ratio', () => {
  expect(compare('cpu', figure({ goal: { more: 1 } }))).toMatchObject({ ratio: 2, goal: 2, met: true })
  expect(compare('cpu', figure({ goal: { more: 0.5 } }))).toMatchObject({ goal: 1.5, met: false })
})

test('with a baseline of 0 the ratio is 1 if ours is 0 too and null otherwise, and a goal for the difference can be met', () => {
  const none = { baseline: [0], goal: { times: 1 } }
  expect(compare('refused', figure({ ...none, ours: [0] }))).toEqual({
    name: 'refused',
    ratio: 1,
    goal: null,
    met: true,
  })
  expect(compare('refused', figure({ ...none, ours: [1] }))).toMatchObject({ ratio: null, met: false })
  expect(compare('refused', figure({ baseline: [0], ours: [1], goal: { more: 1 } }))).toMatchObject({ met: true })
})

test('ours and the baseline are measured alternately, and the first round does not count', async () => {
  const calls: string[] = []
  const way = (name: string) => async (round: number) => {
    calls.push(`${name}${String(round)}`)
    return round
  }
  const measured = await inTurn(way('a'), way('b'), { rounds: 2 })
  expect(calls).toEqual(['a0', 'b0', 'b1', 'a1', 'a2', 'b2'])
  expect(measured).toEqual({ ours: [1, 2], baseline: [1, 2] })
})
