export const switchNames = ['email', 'exclude_bots'] as const
export type SwitchName = (typeof switchNames)[number]

export const isSwitch = (name: string): name is SwitchName => (switchNames as readonly string[]).includes(name)

/** The fields of a website as the service keeps them. */
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
  /** The fields that the request carried. */
  carried: readonly FieldName[]
  fields: Readonly<Fields>
}

export interface Website {
  id: string
  /** The id on a service with numeric ids. */
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

/** The values of a new website for the fields that its create does not set. */
export const defaults: Fields = {
  privacy: 1,
  password: null,
  email: 0,
  exclude_bots: 1,
  exclude_ips: null,
  exclude_params: null,
}
