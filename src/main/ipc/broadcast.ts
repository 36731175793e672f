import type { WebContents } from 'electron'
import type { Log } from '../log/log.ts'
import { events, type EventName, type EventPayload } from '../../preload/bridge.ts'
import { eventChannel } from '../../preload/channels.ts'

/** Sends an event to the window, if there is one and the payload matches its schema. */
export type Broadcast = <N extends EventName>(name: N, payload: EventPayload<N>) => void

/** Returns a function that sends an event to the window's page, if there is one. */
export function createBroadcast(window: () => WebContents | undefined, log: Log): Broadcast {
  return (name, payload) => {
    const target = window()
    if (target === undefined || target.isDestroyed()) return
    const checked = events[name].safeParse(payload)
    if (checked.success) target.send(eventChannel(name), checked.data)
    else log('misfit', { what: 'event', of: name })
  }
}
