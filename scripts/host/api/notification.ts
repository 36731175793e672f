import { runtime } from '../runtime.ts'
import { hostEvent, StrictEmitter } from '../strict.ts'

interface NotificationOptions {
  title?: string
  subtitle?: string
  body?: string
  silent?: boolean
  icon?: unknown
  urgency?: string
  actions?: object[]
}

/** Shows nothing: is listed once it's shown. A test emits `click` and the like itself. */
export class Notification extends StrictEmitter {
  static override readonly apiName = 'Notification'
  static override readonly events = ['show', 'click', 'close', 'reply', 'action', 'failed']
  title: string
  subtitle: string
  body: string
  silent: boolean
  urgency: string
  readonly icon: unknown
  readonly actions: object[]

  constructor(options: NotificationOptions = {}) {
    super()
    this.title = options.title ?? ''
    this.subtitle = options.subtitle ?? ''
    this.body = options.body ?? ''
    this.silent = options.silent ?? false
    this.urgency = options.urgency ?? 'normal'
    this.icon = options.icon
    this.actions = options.actions ?? []
  }

  static isSupported(): boolean {
    return true
  }

  show(): void {
    runtime().controls.notifications.push(this)
    this.emit('show', hostEvent())
  }

  close(): void {
    this.emit('close', hostEvent())
  }
}
