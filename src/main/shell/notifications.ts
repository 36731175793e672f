import { Notification } from 'electron'
import type { Destination } from '../../shared/destination.ts'
import { count } from '../../shared/numbers.ts'
import type { Settings } from '../../shared/state.ts'
import type { Away } from './closing.ts'
import type { News } from './news.ts'

interface Notice {
  title: string
  body: string
  leadsTo: Destination | null
}

export interface Notifications {
  tell(news: News): void
  /** The window is gone, and the app isn't: a person would look for it. */
  tellOfAway(where: Away): void
}

/** `follow`: where a click leads; null: to the window as it is. */
export function createNotifications(
  settings: () => Settings,
  follow: (destination: Destination | null) => void,
): Notifications {
  // What nobody holds is collected, and a click on it lost (https://github.com/electron/electron/issues/16922).
  const shown = new Map<string, Notification>()

  function show(kind: string, { title, body, leadsTo }: Notice): void {
    if (!Notification.isSupported()) return
    shown.get(kind)?.close()
    const notification = new Notification({ title, body })
    shown.set(kind, notification)
    notification.on('click', () => follow(leadsTo))
    notification.show()
  }

  return {
    tell(news) {
      if (settings()[settingOf[news.kind]]) show(news.kind, noticeOf(news))
    },
    tellOfAway: (where) => show('away', awayNotices[where]),
  }
}

const awayNotices: Record<Away, Notice> = {
  tray: {
    title: 'Siteward goes on in the tray',
    body: 'It sends what waits. Its icon shows the window again.',
    leadsTo: null,
  },
  taskbar: {
    title: 'Siteward goes on in the taskbar',
    body: 'It sends what waits. No panel here shows its icon, so the window is only minimised.',
    leadsTo: null,
  },
}

const settingOf = { sent: 'notifySent', parked: 'notifyParked', key: 'notifyKey' } as const

function noticeOf(news: News): Notice {
  switch (news.kind) {
    case 'sent':
      return {
        title: count(news.count, 'change is sent', 'changes are sent'),
        body: 'Nothing is waiting any more.',
        leadsTo: { to: 'sent' },
      }
    case 'parked':
      return {
        title: count(news.count, 'change needs you', 'changes need you'),
        body: news.count === 1 ? 'It stays here until you decide.' : 'They stay here until you decide.',
        leadsTo: { to: 'screen', screen: 'pending' },
      }
    case 'key':
      return {
        title: 'The service refuses the API key',
        body: 'Changes wait until you type a new one.',
        leadsTo: { to: 'screen', screen: 'account' },
      }
  }
}
