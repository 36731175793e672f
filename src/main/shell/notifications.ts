import { Notification } from 'electron'
import { m } from '../../messages/index.ts'
import type { Destination } from '../../shared/destination.ts'
import type { AppError } from '../../shared/result.ts'
import type { Away } from './close-target.ts'
import type { News } from './notification-feed.ts'
import { errorText } from '../../messages/errors.ts'

interface Content {
  title: string
  body: string
  leadsTo: Destination | null
}

export interface Notifications {
  tell(news: News): void
  /** The window is gone, and the app isn't: a person would look for it. */
  tellOfAway(where: Away): void
  /** The same, after its page has ended again and again. */
  tellOfPage(): void
  /** What was asked for outside of the window hasn't been done. */
  tellOfError(error: AppError): void
}

/** `follow`: where a click leads; null: to the window as it is. */
export function createNotifications(follow: (destination: Destination | null) => void): Notifications {
  // What nobody holds is collected, and a click on it lost (https://github.com/electron/electron/issues/16922).
  const shown = new Map<string, Notification>()

  function show(kind: string, { title, body, leadsTo }: Content): void {
    if (!Notification.isSupported()) return
    shown.get(kind)?.close()
    const notification = new Notification({ title, body })
    shown.set(kind, notification)
    notification.on('click', () => follow(leadsTo))
    notification.show()
  }

  return {
    tell: (news) => show(news.kind, contentOf(news)),
    tellOfAway: (where) => {
      const body = where === 'tray' ? m.notification_hidden_tray() : m.notification_hidden_taskbar()
      show('away', { title: m.notification_hidden(), body, leadsTo: null })
    },
    tellOfPage: () => show('page', { title: m.notification_page(), body: m.notification_page_body(), leadsTo: null }),
    tellOfError: (error) => {
      const body = m.notification_error_body(errorText(error))
      show('error', { title: m.notification_error(), body, leadsTo: { to: 'screen', screen: 'settings' } })
    },
  }
}

function contentOf(news: News): Content {
  switch (news.kind) {
    case 'sent': {
      const body = news.waiting > 0 ? m.notification_sent_pending({ count: news.waiting }) : m.notification_sent_all()
      return { title: m.notification_sent({ count: news.count }), body, leadsTo: { to: 'sent' } }
    }
    case 'mismatch':
      return {
        title: m.notification_mismatch({ count: news.count }),
        body: m.notification_mismatch_body(),
        leadsTo: { to: 'sent' },
      }
    case 'parked':
      return {
        title: m.status_need_attention({ count: news.count }),
        body: m.notification_need_attention_body(),
        leadsTo: { to: 'screen', screen: 'pending' },
      }
    case 'key':
      return {
        title: m.status_key_rejected(),
        body: m.notification_key_body(),
        leadsTo: { to: 'screen', screen: 'account' },
      }
  }
}
