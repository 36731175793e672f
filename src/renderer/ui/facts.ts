/** A name and a value in a list of details. Some are from the service, such as those of the account, some from the app. */
export interface Fact {
  name: string
  value: string
  /** The time in the value, as the service wrote it. */
  at?: string
}

/**
 * Returns the fields that this version doesn't know, as the service wrote them, without null fields and without `object`, which
 * names the type of the record.
 */
export const unknownFacts = (extra: Readonly<Record<string, unknown>>): Fact[] =>
  Object.entries(extra)
    .filter(([name, value]) => value !== null && name !== 'object')
    .map(([name, value]) => ({ name, value: typeof value === 'string' ? value : JSON.stringify(value) }))
