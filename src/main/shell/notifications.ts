import { Notification } from 'electron'
import type { Destination } from '../../shared/destination.ts'
import type { AppError } from '../../shared/result.ts'
import type { Away } from './closing.ts'
import type { News } from './news.ts'
import {
  awayWords,
  errorNotice,
  keyNotice,
  otherwiseNotice,
  pageNotice,
  parkedNotice,
  sentNotice,
} from '../../words/shell.ts'

interface Notice {
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

  function show(kind: string, { title, body, leadsTo }: Notice): void {
    if (!Notification.isSupported()) return
    shown.get(kind)?.close()
    const notification = new Notification({ title, body })
    shown.set(kind, notification)
    notification.on('click', () => follow(leadsTo))
    notification.show()
  }

  return {
    tell: (news) => show(news.kind, noticeOf(news)),
    tellOfAway: (where) => show('away', { ...awayWords[where], leadsTo: null }),
    tellOfPage: () => show('page', { ...pageNotice, leadsTo: null }),
    tellOfError: (error) => show('error', { ...errorNotice(error), leadsTo: { to: 'screen', screen: 'settings' } }),
  }
}

function noticeOf(news: News): Notice {
  switch (news.kind) {
    case 'sent':
      return { ...sentNotice(news.count, news.waiting), leadsTo: { to: 'sent' } }
    case 'otherwise':
      return { ...otherwiseNotice(news.count), leadsTo: { to: 'sent' } }
    case 'parked':
      return { ...parkedNotice(news.count), leadsTo: { to: 'screen', screen: 'pending' } }
    case 'key':
      return { ...keyNotice, leadsTo: { to: 'screen', screen: 'account' } }
  }
}
