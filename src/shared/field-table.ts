/**
 * The field table: what the app has to know about each field of a website that can be written (docs/architecture.md, "The
 * field table"). Everything else that goes through the fields is derived from it: schemas, the form that is sent, what is read
 * from an answer, bulk edit, profiles, exported lists and what is searched in the database.
 */

/** The values of `privacy` (interface.md, "Website"). */
export const PRIVACY = { public: 0, private: 1, password: 2 } as const

/**
 * `default`: what a create sends where the user has chosen nothing. `columns`: what its column may be called in a table that is
 * pasted, beside its own name; in lower case.
 */
export type Field = { columns: readonly string[] } &
  /** One of some numbers, each with the name that stands for it in files. */
  (
    | { kind: 'choice'; choices: Readonly<Record<string, number>>; default: number }
    | { kind: 'switch'; default: boolean }
    /** Lines of text; the service has them as one text. */
    | { kind: 'list'; default: readonly [] }
    /** The domain, which is chosen once, when a website is created. */
    | { kind: 'domain' }
    /** Written, and never shown by the service. */
    | { kind: 'secret' }
  )

/** All fields, in the order in which they are shown and sent. */
export const fieldTable = {
  domain: { kind: 'domain', columns: ['website', 'site', 'url', 'host', 'hostname', 'name'] },
  privacy: { kind: 'choice', choices: PRIVACY, default: PRIVACY.private, columns: ['visibility', 'access'] },
  password: { kind: 'secret', columns: ['statistics password'] },
  email: { kind: 'switch', default: false, columns: ['email reports', 'reports'] },
  exclude_bots: { kind: 'switch', default: true, columns: ['exclude bots', 'bots'] },
  exclude_ips: { kind: 'list', default: [], columns: ['excluded ip addresses', 'exclude ips', 'ips', 'ip addresses'] },
  exclude_params: {
    kind: 'list',
    default: [],
    columns: ['excluded url parameters', 'exclude params', 'params', 'parameters'],
  },
} as const satisfies Record<string, Field>
