import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createNotifications } from '../../../src/main/shell/notifications.ts'
import { baseLocale, overwriteGetLocale } from '../../../src/messages/index.ts'
import type { NotificationEvent } from '../../../src/main/shell/notification-feed.ts'
import { setFormatLocale } from '../../../src/shared/display/format.ts'

const { shown, FakeNotification } = vi.hoisted(() => {
  const shown: { title: string; body: string; click: () => void }[] = []
  class FakeNotification {
    static isSupported = () => true
    readonly texts: { title: string; body: string }
    click = () => {}
    constructor(texts: { title: string; body: string }) {
      this.texts = texts
    }
    on(_event: 'click', click: () => void) {
      this.click = click
    }
    close() {}
    show() {
      shown.push({ ...this.texts, click: this.click })
    }
  }
  return { shown, FakeNotification }
})
vi.mock('electron', () => ({ Notification: FakeNotification }))

beforeEach(() => void shown.splice(0))

const remote = (changes: { deleted?: number; published?: number; added?: number; changed?: number }) =>
  ({
    kind: 'remote',
    changes: { deleted: 0, published: 0, added: 0, changed: 0, ...changes },
    drifts: [],
    ...{ since: 7, after: 11, until: 22 },
  }) satisfies NotificationEvent

const acme = { id: 'acme', name: 'Acme', isOnly: false }

function textsIn(locale: 'en' | 'de' | 'ja', events: NotificationEvent[], account = acme): string[] {
  overwriteGetLocale(() => locale)
  setFormatLocale(() => locale)
  onTestFinished(() => {
    overwriteGetLocale(() => baseLocale)
    setFormatLocale(() => baseLocale)
  })
  const notifications = createNotifications(() => undefined)
  for (const event of events) notifications.show(event, account)
  return shown.splice(0).map(({ title, body }) => `${title}: ${body}`)
}

const events = [
  remote({ deleted: 2, published: 1 }),
  remote({ deleted: 1, published: 3 }),
  remote({ added: 1, changed: 2 }),
]

test('says what was changed elsewhere, and in which account', () => {
  expect(textsIn('en', events)).toEqual([
    'Your websites were changed elsewhere (Acme): 2 websites deleted, 1 website made public',
    'Your websites were changed elsewhere (Acme): 1 website deleted, 3 websites made public',
    'Your websites were changed elsewhere (Acme): 1 website added, 2 websites changed',
  ])
})

test('says in German what was changed elsewhere', () => {
  expect(textsIn('de', events)).toEqual([
    'Ihre Websites wurden anderswo geändert (Acme): 2 Websites gelöscht, 1 Website öffentlich gemacht',
    'Ihre Websites wurden anderswo geändert (Acme): 1 Website gelöscht, 3 Websites öffentlich gemacht',
    'Ihre Websites wurden anderswo geändert (Acme): 1 Website hinzugefügt, 2 Websites geändert',
  ])
})

test('separates the counts of what was changed elsewhere in Japanese too', () => {
  expect(textsIn('ja', events.slice(0, 1))).toEqual([
    'Webサイトが別の場所で変更されました（Acme）: 削除されたWebサイト2件、「公開」に変更されたWebサイト1件',
  ])
})

test.each([
  ['linux', /^Siteward keeps sending your changes\. You can open the window from the tray icon\.$/],
  ['darwin', /the Siteward icon in the menu bar/],
] as const)('says where the icon of a closed window is (%s)', (platform, text) => {
  createNotifications(() => undefined, platform).showClosed('tray', false)
  expect(shown[0]?.body).toMatch(text)
})

test('says of a closed window that sending is paused, instead of that it goes on', () => {
  const { showClosed } = createNotifications(() => undefined)
  for (const where of ['tray', 'taskbar'] as const) showClosed(where, true)
  for (const { body } of shown) expect(body).toMatch(/^Sending is paused\. [^.]+\.$/)
  expect(shown).toHaveLength(2)
})

test.each([
  [0, 0, 'No changes are pending.'],
  [3, 0, '3 changes are still pending.'],
  [0, 1, '1 change needs attention.'],
  [1, 2, '1 change is still pending. 2 changes need attention.'],
])('says which changes remain after others were sent (%i pending, %i need attention)', (waiting, parked, body) => {
  const sent: NotificationEvent = { kind: 'sent', count: 3, waiting, parked, since: 7 }
  expect(textsIn('en', [sent], { ...acme, isOnly: true })).toEqual([`3 changes sent: ${body}`])
})

test('doesn’t name the only account', () => {
  expect(textsIn('en', events.slice(0, 1), { ...acme, isOnly: true })).toEqual([
    'Your websites were changed elsewhere: 2 websites deleted, 1 website made public',
  ])
})

test('a click on a notification of remote changes opens exactly the counted changes, in the activity of its account', () => {
  const follow = vi.fn()
  createNotifications(follow).show(remote({ deleted: 2, published: 1 }), acme)
  shown[0]?.click()
  const notified = { since: 7, after: 11, until: 22, groups: ['deleted', 'published'] }
  expect(follow).toHaveBeenCalledExactlyOnceWith({ to: 'activity', filter: { author: 'remote', notified } }, 'acme')
})
