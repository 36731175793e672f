import type { Protocol } from '../../../node_modules/playwright-core/types/protocol.d.ts'

export type { Protocol }
export type Method = keyof Protocol.CommandParameters & keyof Protocol.CommandReturnValues
export type Parameters<M extends Method> = Protocol.CommandParameters[M]
export type Answer<M extends Method> = Protocol.CommandReturnValues[M]
export type EventName = keyof Protocol.Events
export type Event<E extends EventName> = Protocol.Events[E]
export type TargetInfo = Protocol.Target.TargetInfo

/** What comes over the pipe: an answer (with `id`) or an event (with `method`). */
export interface Incoming {
  id?: number
  sessionId?: string
  method?: string
  params?: unknown
  result?: unknown
  error?: { message: string; data?: string }
}
