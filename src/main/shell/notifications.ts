import { Notification } from 'electron'
import { m } from '../../messages/index.ts'
import type { Destination } from '../../shared/destination.ts'
import type { AppError } from '../../shared/result.ts'
import type { BackgroundPlace } from './close-target.ts'
import type { RemoteGroup } from '../../shared/activity.ts'
import { formatList, joinSentences } from '../../shared/display/format.ts'
import { isolateText, revealHidden } from '../../shared/display/visible.ts'
import type { NotificationEvent, NotifiedAccount } from './notification-feed.ts'
import { fullErrorText } from '../../messages/errors.ts'

interface Content {
  title: string
  body: string
  destination: Destination | null
}

/** `follow`: opens the destination of a clicked notification, in its account if it has one. Null opens the window as it is. */
export function createNotifications(
  follow: (destination: Destination | null, account: string | null) => void,
  platform: NodeJS.Platform = process.platform,
) {
  // Keeps a reference, because the click on a garbage-collected notification is lost
  // (https://github.com/electron/electron/issues/16922).
  const shown = new Map<string, Notification>()

  /** Replaces an earlier notification of the same kind. Does nothing if the system shows no notifications. */
  function display(kind: string, { title, body, destination }: Content, account: string | null = null): void {
    if (!Notification.isSupported()) return
    shown.get(kind)?.close()
    const notification = new Notification({ title, body })
    shown.set(kind, notification)
    notification.on('click', () => follow(destination, account))
    notification.show()
  }

  return {
    show(news: NotificationEvent, { id, name, isOnly }: NotifiedAccount): void {
      const { title, ...rest } = contentOf(news)
      const named = isOnly ? title : m.notification_of_account({ title, name: revealHidden(name) })
      display(`${news.kind} ${id}`, { title: named, ...rest }, id)
    },
    /** Says that the app keeps running after its window was closed, and if sending is paused. */
    showClosed(where: BackgroundPlace, paused: boolean): void {
      const inTray = platform === 'darwin' ? m.notification_hidden_menu_bar : m.notification_hidden_tray
      const place = where === 'tray' ? inTray() : m.notification_hidden_taskbar()
      const body = joinSentences([paused ? m.notification_hidden_paused() : m.notification_hidden_sending(), place])
      display('away', { title: m.notification_hidden(), body, destination: null })
    },
    /** Says that the window was closed because its page kept crashing. */
    showPageClosed: () =>
      display('page', { title: m.notification_page(), body: m.notification_page_body(), destination: null }),
    /** For an action in the tray menu that failed. */
    showError(error: AppError): void {
      const body = fullErrorText(error)
      display('error', { title: m.notification_error(), body, destination: { to: 'screen', screen: 'settings' } })
    },
  }
}

/** Leaves out the name of the account. */
function contentOf(news: NotificationEvent): Content {
  switch (news.kind) {
    case 'sent': {
      const { waiting, parked } = news
      const remaining = joinSentences([
        waiting > 0 && m.notification_sent_pending({ count: waiting }),
        parked > 0 && m.notification_sent_attention({ count: parked }),
      ])
      return {
        title: m.notification_sent({ count: news.count }),
        body: remaining || m.notification_sent_none(),
        destination: { to: 'activity', filter: { kind: 'delivered', from: news.since } },
      }
    }
    case 'mismatch':
      return {
        title: m.notification_mismatch({ count: news.count }),
        body: m.notification_mismatch_body(),
        destination: { to: 'activity', filter: { author: 'own', from: news.since } },
      }
    case 'parked':
      return {
        title: m.status_need_attention({ count: news.count }),
        body: m.notification_need_attention_body(),
        destination: { to: 'screen', screen: 'pending' },
      }
    case 'remote':
      return contentOfRemote(news)
    case 'key':
      return {
        title: m.status_key_rejected(),
        body: m.notification_key_body(),
        destination: { to: 'screen', screen: 'account' },
      }
  }
}

function contentOfRemote({ changes, drifts, since, after, until }: NotificationEvent & { kind: 'remote' }): Content {
  const texts: [RemoteGroup, (inputs: { count: number }) => string][] = [
    ['deleted', m.notification_remote_deleted],
    ['published', m.notification_remote_published],
    ['added', m.notification_remote_added],
    ['changed', m.notification_remote_changed],
  ]
  const found = texts.filter(([group]) => changes[group] > 0)
  const differing = drifts.map(({ name, count }) => m.notification_drift_of({ name: isolateText(name), count }))
  if (found.length === 0) {
    const body = formatList(differing, 'unit')
    return { title: m.notification_drift(), body, destination: { to: 'screen', screen: 'presets' } }
  }
  const groups = found.map(([group]) => group)
  return {
    title: m.notification_remote(),
    body: formatList([...found.map(([group, text]) => text({ count: changes[group] })), ...differing], 'unit'),
    destination: { to: 'activity', filter: { author: 'remote', notified: { since, after, until, groups } } },
  }
}
