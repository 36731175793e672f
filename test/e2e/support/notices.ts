import { joinBus } from './bus.ts'

interface Notice {
  title: string
  body: string
  click(): void
}

/** A notification service of the desktop, which records the notifications. */
export interface Notices {
  shown: readonly Notice[]
  titles(): string[]
  click(): void
  stop(): Promise<void>
}

/** https://specifications.freedesktop.org/notification-spec/1.2/protocol.html */
const NOTIFICATIONS = 'org.freedesktop.Notifications'
const CLOSED_BY_USER = 2
const CLOSED_BY_PROGRAM = 3

/** The last id of a notification. A new service does not restart at 1, because a shared app may still react to earlier ids. */
let lastId = 0

export async function startNotices(address: string): Promise<Notices> {
  const bus = await joinBus(address)
  const shown: Notice[] = []
  const emit = (member: string, signature: string, ...values: unknown[]): void =>
    bus.emit('/org/freedesktop/Notifications', NOTIFICATIONS, member, signature, ...values)

  await bus.serve(NOTIFICATIONS, NOTIFICATIONS, {
    GetCapabilities: () => ['as', ['actions', 'body']],
    GetServerInformation: () => ['ssss', 'Test', 'Siteward', '1', '1.2'],
    Notify: ({ body: [, , , title, body, actions] }) => {
      const id = ++lastId
      const click = (): void => {
        if (!(actions as string[]).includes('default')) throw new Error('the notification can’t be clicked')
        emit('ActionInvoked', 'us', id, 'default')
        emit('NotificationClosed', 'uu', id, CLOSED_BY_USER)
      }
      shown.push({ title: String(title), body: String(body), click })
      return ['u', id]
    },
    CloseNotification: ({ body: [id] }) => {
      emit('NotificationClosed', 'uu', id, CLOSED_BY_PROGRAM)
      return ['']
    },
  })

  return {
    shown,
    titles: () => shown.map(({ title }) => title),
    click() {
      const last = shown.at(-1)
      if (last === undefined) throw new Error('there is no notification')
      last.click()
    },
    stop: () => bus.leave(),
  }
}
