/** A name and a value in a list of details, from the service or the app. */
export interface Fact {
  name: string
  value: string
  /** A time in the value, as the service writes it. */
  at?: string
}

/** Returns the fields that this version doesn't know, as the service wrote them, without nulls and the record type `object`. */
export const unknownFacts = (extra: Readonly<Record<string, unknown>>): Fact[] =>
  Object.entries(extra)
    .filter(([name, value]) => value !== null && name !== 'object')
    .map(([name, value]) => ({ name, value: typeof value === 'string' ? value : JSON.stringify(value) }))
