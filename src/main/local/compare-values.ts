import { isDeepStrictEqual } from 'node:util'

/** The effect of an import: the names of added and changed values, and the number of `unchanged` ones. */
export interface ImportedNames {
  added: string[]
  changed: string[]
  unchanged: number
}

interface Compared<T> {
  effect: ImportedNames
  /** The imported values that are added or changed. */
  differing: T[]
  /** All values after the import: the present ones in their order, then the added ones. */
  merged: T[]
}

/** Returns the same text for names that only differ in case. */
export const comparableName = (name: string): string => name.normalize().toLowerCase()

/** True if two names are the same or only differ in case. */
export const isSameName = (a: string, b: string): boolean => comparableName(a) === comparableName(b)

/** Compares imported values with the present ones by name. Of several imported values with one name, the last counts. */
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
