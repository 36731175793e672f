import { MOST_TYPED } from './fields.ts'
import { isPlain } from './json.ts'

/**
 * What is read by the hundred is nearly all made of the same few fields: plain functions know such a thing in a fraction of the
 * time that its schema takes. They say yes only where the schema would too, and would leave it as it is; of whatever they don't
 * know the schema has to tell.
 */
export type Is = (value: unknown) => boolean

export const isText: Is = (value) => typeof value === 'string'
export const isToggle: Is = (value) => typeof value === 'boolean'
export const isPrivacy: Is = (value) => value === 0 || value === 1 || value === 2
const isLine: Is = (line) => typeof line === 'string' && line.length <= MOST_TYPED.line
export const isLines: Is = (value) => areAll(value, isLine, MOST_TYPED.lines)

const ofSettings: readonly [string, Is][] = [
  ['privacy', isPrivacy],
  ['email', isToggle],
  ['exclude_bots', isToggle],
  ['exclude_ips', isLines],
  ['exclude_params', isLines],
]
const settings = new Map(ofSettings)
const changes = new Map<string, Is>([
  ...ofSettings,
  ['password', (value) => typeof value === 'string' && value.length <= MOST_TYPED.password],
])
export const areSettings: Is = (value) => isMadeOf(value, settings)
export const areChanges: Is = (value) => isMadeOf(value, changes)

/** With a look at holes, which `every` passes over. */
export const areAll = (value: unknown, is: Is, most: number): boolean =>
  Array.isArray(value) && value.length <= most && value.findIndex((each) => !is(each)) === -1

const known = new WeakMap<object, Is>()
const isNone: Is = () => false

/** The same schema, of which a plain function tells what is usual: whoever asks for that needn't ask the schema. */
export function knowing<S extends object>(schema: S, isUsual: Is): S {
  known.set(schema, isUsual)
  return schema
}
/** What tells it of this schema; nothing is, where nobody has said. */
export const usualOf = (schema: object): Is => known.get(schema) ?? isNone

/** Of these fields, and of no others; `needed` are those that can't be absent. */
export function isMadeOf(value: unknown, fields: ReadonlyMap<string, Is>, needed: readonly string[] = []): boolean {
  if (!isPlain(value)) return false
  for (const name of Object.keys(value)) if (fields.get(name)?.(value[name]) !== true) return false
  return needed.every((name) => Object.hasOwn(value, name))
}
