import type { CommandName, EventName } from './bridge.ts'

export const commandChannel = (name: CommandName): string => `siteward:command:${name}`
export const eventChannel = (name: EventName): string => `siteward:event:${name}`
