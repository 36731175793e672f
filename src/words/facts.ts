/** One line of what the service told: a name, and its value in words. */
export interface Fact {
  name: string
  value: string
  /** The time that the value tells, as the service wrote it. */
  at?: string
}

/** Fields nobody has heard of, shown as the service wrote them; but for what says nothing, and what kind of record it is. */
export const unknownFacts = (extra: Readonly<Record<string, unknown>>): Fact[] =>
  Object.entries(extra)
    .filter(([name, value]) => value !== null && name !== 'object')
    .map(([name, value]) => ({ name, value: typeof value === 'string' ? value : JSON.stringify(value) }))
