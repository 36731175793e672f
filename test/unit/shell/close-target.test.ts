import { expect, test } from 'vitest'
import { createClosing, type Away } from '../../../src/main/shell/close-target.ts'

function start(desk: { keeps: boolean; hasTray: boolean | null }) {
  const told: Away[] = []
  const noted = new Set<Away>()
  const close = createClosing({
    keeps: () => desk.keeps,
    hasTray: async () => desk.hasTray,
    told: { has: (where) => noted.has(where), note: (where) => noted.add(where) },
    tell: (where) => told.push(where),
  })
  return { close, told }
}

test('a window goes where it can be had back from, and each place is told once', async () => {
  const desk = { keeps: false, hasTray: true as boolean | null }
  const { close, told } = start(desk)
  expect([await close(), await close()]).toEqual(['tray', 'tray'])
  desk.hasTray = false
  expect([await close(), await close()]).toEqual(['taskbar', 'taskbar'])
  desk.hasTray = null
  expect(await close()).toBe('tray')
  expect(told).toEqual(['tray', 'taskbar'])
})

test('who keeps the window in the taskbar is told nothing', async () => {
  const { close, told } = start({ keeps: true, hasTray: true })
  expect(await close()).toBe('taskbar')
  expect(told).toEqual([])
})
