import { isDeepStrictEqual } from 'node:util'

/** The names of the values that an import adds and changes. `unchanged`: the number of its values that are present already. */
export interface ImportedNames {
  added: string[]
  changed: string[]
  unchanged: number
}

/** The result of comparing imported values with those that are present. */
interface Compared<T> {
  effect: ImportedNames
  /** The given values that are added or changed. */
  differing: T[]
  /** The present values with the changed ones in their places, then the added ones. */
  merged: T[]
}

/** Returns the same text for names that only differ in case. */
export const comparableName = (name: string): string => name.normalize().toLowerCase()

export const isSameName = (a: string, b: string): boolean => comparableName(a) === comparableName(b)

/** Compares values with those of the same names that are present. Of several imported values with the same name, the last one counts. */
export function compareByName<T>(
  present: readonly T[],
  imported: readonly T[],
  nameOf: (value: T) => string,
): Compared<T> {
  const byName = (values: readonly T[]) => new Map(values.map((value) => [comparableName(nameOf(value)), value]))
  const [presentByName, importedByName] = [byName(present), byName(imported)]
  const differing = [...importedByName].filter(([key, value]) => !isDeepStrictEqual(value, presentByName.get(key)))
  const namesOf = (entries: typeof differing) => entries.map(([, value]) => nameOf(value))
  return {
    effect: {
      added: namesOf(differing.filter(([key]) => !presentByName.has(key))),
      changed: namesOf(differing.filter(([key]) => presentByName.has(key))),
      unchanged: importedByName.size - differing.length,
    },
    differing: differing.map(([, value]) => value),
    merged: [...new Map([...presentByName, ...importedByName]).values()],
  }
}
