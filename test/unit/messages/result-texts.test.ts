import { afterEach, expect, test } from 'vitest'
import { bulkChangeToast } from '../../../src/renderer/features/shared/bulk-change-text.ts'
import { entrySummary } from '../../../src/renderer/features/shared/result-text.ts'
import { baseLocale, overwriteGetLocale } from '../../../src/messages/index.ts'
import { setFormatLocale } from '../../../src/shared/display/format.ts'
import type { EditKind, HistoryEntry } from '../../../src/shared/edit.ts'
import { aHistoryEntry } from '../../component/support/fixtures.ts'

afterEach(() => {
  overwriteGetLocale(() => baseLocale)
  setFormatLocale(() => baseLocale)
})

test('the summary of an entry says what happened to the website, even if nothing happened or the outcome is unknown', () => {
  const summaryOf = (kind: EditKind, became: HistoryEntry['became'], email?: boolean) =>
    entrySummary(aHistoryEntry({ kind, became, before: {}, settings: email === undefined ? {} : { email } }))
  expect(summaryOf('create', 'sent', true)).toBe('Added with email reports (on).')
  expect(summaryOf('create', 'discarded', true)).toBe('Not added. Its settings: email reports (on).')
  expect(summaryOf('create', 'unknown')).toBe('Possibly added.')
  expect(summaryOf('update', 'sent')).toBe('Changed.')
  expect(summaryOf('update', 'undone', true)).toBe('Not changed: email reports (on).')
  expect(summaryOf('update', 'unknown', true)).toBe('Possibly changed: email reports (on).')
  expect(summaryOf('delete', 'sent')).toBe('Deleted, including its statistics.')
  expect(summaryOf('delete', 'undone')).toBe('Not deleted.')
  expect(summaryOf('delete', 'unknown')).toBe('Possibly deleted.')
})

test.each([
  ['es', 'Último cambio masivo (4 sitios web): 1 enviado, 1 pendiente y 2 deshechos, descartados o reemplazados.'],
  [
    'fr',
    'Dernière modification groupée (4 sites web)\u00a0: 1 envoyé, 1 en attente et 2 annulés, abandonnés ou remplacés.',
  ],
] as const)('the result of a bulk change has the right singular or plural form for each count (%s)', (locale, text) => {
  overwriteGetLocale(() => locale)
  setFormatLocale(() => locale)
  const counts = { websites: 4, sent: 1, waiting: 1, parked: 0, back: 2 }
  expect(bulkChangeToast({ id: 'b', kind: 'update', at: 0, order: 0, canUndo: false, left: null, ...counts })).toBe(
    text,
  )
})
