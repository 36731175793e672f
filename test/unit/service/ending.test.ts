import { expect, test } from 'vitest'
import { Ending } from '../../../src/main/service/ending.ts'

test('whoever listens is told once, whoever has left is not', () => {
  const ending = new Ending()
  const told: string[] = []
  const gone = (): void => void told.push('gone')
  ending.on(() => told.push('here'))
  ending.on(gone)
  ending.off(gone)
  expect(ending.over).toBe(false)
  ending.end()
  ending.end()
  expect(told).toEqual(['here'])
  expect(ending.over).toBe(true)
})

test('one that it ends may leave, and another come, while it ends', () => {
  const ending = new Ending()
  const told: string[] = []
  const second = (): void => void told.push('second')
  ending.on(() => {
    told.push(`first, over: ${String(ending.over)}`)
    ending.off(second)
    ending.on(() => told.push('late'))
  })
  ending.on(second)
  ending.end()
  expect(told).toEqual(['first, over: true', 'second'])
})
