import { afterEach, expect, test } from 'vitest'
import { bulkChangeToast } from '../../../src/renderer/features/shared/bulk-change-text.ts'
import { discardToast, editWaitText } from '../../../src/renderer/features/shared/edit-text.ts'
import { cannotUndoToast, entryNotes, entrySummary } from '../../../src/renderer/features/shared/result-text.ts'
import { baseLocale, overwriteGetLocale } from '../../../src/messages/index.ts'
import { setFormatLocale } from '../../../src/shared/display/format.ts'
import type { EditKind, HistoryEntry } from '../../../src/shared/edit.ts'
import { aHistoryEntry, anEdit } from '../../component/support/fixtures.ts'

afterEach(() => {
  overwriteGetLocale(() => baseLocale)
  setFormatLocale(() => baseLocale)
})

test('the summary of an entry says what happened to the website, even if nothing happened or the outcome is unknown', () => {
  const summaryOf = (kind: EditKind, became: HistoryEntry['became'], email?: boolean) =>
    entrySummary(aHistoryEntry({ kind, became, before: {}, settings: email === undefined ? {} : { email } }))
  expect(summaryOf('create', 'sent', true)).toBe('Added. Settings: email reports (on).')
  expect(summaryOf('create', 'discarded', true)).toBe('Not added. Settings: email reports (on).')
  expect(summaryOf('create', 'unknown')).toBe('Possibly added.')
  expect(summaryOf('update', 'sent')).toBe('Changed.')
  expect(summaryOf('update', 'undone', true)).toBe('Not changed: email reports (on).')
  expect(summaryOf('update', 'unknown', true)).toBe('Possibly changed: email reports (on).')
  expect(summaryOf('delete', 'sent')).toBe('Deleted, including its statistics.')
  expect(summaryOf('delete', 'undone')).toBe('Not deleted.')
  expect(summaryOf('delete', 'unknown')).toBe('Possibly deleted.')
})

test('an entry about a delete that found no website says once that the website was already deleted', () => {
  const entry = aHistoryEntry({ kind: 'delete', became: 'nothing', settings: {}, before: {} })
  const text = 'The website was already deleted, so nothing was sent.'
  expect([entrySummary(entry), ...entryNotes(entry)]).toEqual([text])
  expect(cannotUndoToast(entry)).toBe(text)
  expect(entryNotes({ ...entry, kind: 'update' })).toEqual([
    'The service already had these values, so nothing was sent.',
  ])
})

test('a change whose password can’t be read waits for the keychain, whether that is locked, missing or not responding', () => {
  const error = { code: 'keychain-timeout', message: '' } as const
  const text = editWaitText(anEdit({ state: 'held', reason: 'keychain', error, nextAt: null }))
  expect(text).toMatch(/needs the keychain .*when the keychain is available\.$/)
  expect(text).not.toMatch(/lock/)
})

test('the toast after a change was discarded names what the question did', () => {
  const domain = 'a.example'
  const toastOf = (kind: EditKind) => discardToast(anEdit({ kind, domain, state: 'parked', reason: 'refused' }))
  expect(toastOf('create')).toBe('The new website a.example was discarded.')
  expect(toastOf('update')).toBe('The change to a.example was discarded.')
  expect(toastOf('delete')).toBe('The deletion of a.example was discarded.')
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
  const counts = { websites: 4, sent: 1, waiting: 1, parked: 0, notSent: 2 }
  expect(bulkChangeToast({ id: 'b', kind: 'update', at: 0, order: 0, canUndo: false, left: null, ...counts })).toBe(
    text,
  )
})
