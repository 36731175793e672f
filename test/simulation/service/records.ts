export const switchNames = ['email', 'exclude_bots'] as const
export type SwitchName = (typeof switchNames)[number]

export const isSwitch = (name: string): name is SwitchName => (switchNames as readonly string[]).includes(name)

export interface Fields extends Record<SwitchName, 0 | 1> {
  privacy: 0 | 1 | 2
  password: string | null
  exclude_ips: string | null
  exclude_params: string | null
}
export type FieldName = keyof Fields

export type Writer = string

/** The state of a record from `at` on. */
export interface RecordState {
  at: number
  by: Writer
  /** The number of the request that made the state; 0 if another client made it. */
  request: number
  carried: readonly FieldName[]
  fields: Readonly<Fields>
}

export interface Website {
  id: string
  number: number
  account: string
  domain: string
  createdAt: number
  deleted: { at: number; by: Writer; request: number } | null
  /** The latest is last. */
  states: RecordState[]
}

/** True if the writer is the app, not another client. */
export const isOurs = ({ by }: { by: Writer }): boolean => by.startsWith('client')

export const linesOf = (text: string | null): string[] => (text ?? '').split(/[\r\n]+/).filter((line) => line !== '')

export const latest = (website: Website): RecordState => website.states.at(-1) as RecordState

/** Returns the state of a record at a time, or null if the website did not exist then. */
export function stateAt(website: Website, at: number): RecordState | null {
  if (website.createdAt > at || (website.deleted !== null && website.deleted.at <= at)) return null
  return website.states.findLast((state) => state.at <= at) ?? null
}

export const defaults: Fields = {
  privacy: 1,
  password: null,
  email: 0,
  exclude_bots: 1,
  exclude_ips: null,
  exclude_params: null,
}
