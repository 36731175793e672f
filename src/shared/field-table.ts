/**
 * The field table: one entry for each field of a website that can be written (docs/architecture.md#the-field-table). Schemas,
 * request bodies, the readers of responses, bulk edit, presets, the list, CSV and the search in the database derive from it.
 */

/** The values of `privacy` (docs/interface.md#website-fields). */
export const PRIVACY = { public: 0, private: 1, password: 2 } as const

/**
 * `columns`: further names of the field's column in a pasted table, in lower case. `column`: the name of its column in the list
 * of websites, and of the filter of a choice; saved settings of the list refer to it. `default`: the value of a new website if
 * the user chose none.
 */
export type Field = { columns: readonly string[] } &
  /** One of several numbers, each with its name in files. */
  (
    | { kind: 'choice'; column: string; choices: Readonly<Record<string, number>>; default: number }
    /** A field that is on or off. `filter`: the name of its filter in the search field, with the values for on and off. */
    | {
        kind: 'switch'
        column: string
        default: boolean
        filter: { name: string; values: readonly [on: string, off: string] }
      }
    | { kind: 'list'; column: string; default: readonly [] }
    /** The domain, which is chosen once, when a website is created. */
    | { kind: 'domain' }
    /** A value that is written but never shown by the service. */
    | { kind: 'secret' }
  )

/** All fields, in the order in which they are shown and sent. */
export const fieldTable = {
  domain: { kind: 'domain', columns: ['website', 'site', 'url', 'host', 'hostname', 'name'] },
  privacy: {
    kind: 'choice',
    column: 'privacy',
    choices: PRIVACY,
    default: PRIVACY.private,
    columns: ['visibility', 'access'],
  },
  password: { kind: 'secret', columns: ['statistics password'] },
  email: {
    kind: 'switch',
    column: 'email',
    default: false,
    filter: { name: 'reports', values: ['on', 'off'] },
    columns: ['email reports', 'reports'],
  },
  exclude_bots: {
    kind: 'switch',
    column: 'bots',
    default: true,
    filter: { name: 'bots', values: ['excluded', 'counted'] },
    columns: ['exclude bots', 'bots'],
  },
  exclude_ips: {
    kind: 'list',
    column: 'ips',
    default: [],
    columns: ['excluded ip addresses', 'exclude ips', 'ips', 'ip addresses'],
  },
  exclude_params: {
    kind: 'list',
    column: 'params',
    default: [],
    columns: ['excluded url parameters', 'exclude params', 'params', 'parameters'],
  },
} as const satisfies Record<string, Field>
