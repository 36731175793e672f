import { fieldNames, isWebsiteId, MOST_TYPED, websiteStates } from './fields.ts'
import { isJson, isPlain } from './json.ts'
import type { WebsiteRecord, WebsiteView } from './website.ts'

type Is = (value: unknown) => boolean

const isText: Is = (value) => typeof value === 'string'
const isToggle: Is = (value) => typeof value === 'boolean'
const isPrivacy: Is = (value) => value === 0 || value === 1 || value === 2
const isLine: Is = (line) => typeof line === 'string' && line.length <= MOST_TYPED.line
/** With a look at holes, which `every` passes over. */
const areAll = (value: unknown, is: Is, most: number): boolean =>
  Array.isArray(value) && value.length <= most && value.findIndex((each) => !is(each)) === -1
const isLines: Is = (value) => areAll(value, isLine, MOST_TYPED.lines)
const isExtra: Is = (value) => isPlain(value) && !Object.hasOwn(value, '__proto__') && isJson(value)
const isState: Is = (value) => (websiteStates as readonly unknown[]).includes(value)
const isField: Is = (value) => (fieldNames as readonly unknown[]).includes(value)
const isFields: Is = (value) => areAll(value, isField, fieldNames.length)

const ofBoth: [string, Is][] = [
  ['domain', isText],
  ['privacy', isPrivacy],
  ['email', isToggle],
  ['password', isToggle],
  ['exclude_bots', isToggle],
  ['exclude_ips', isLines],
  ['exclude_params', isLines],
  ['created_at', isText],
  ['updated_at', isText],
  ['extra', isExtra],
]
const ofRecord = new Map<string, Is>([...ofBoth, ['id', (id) => typeof id === 'string' && isWebsiteId(id)]])
const ofView = new Map<string, Is>([
  ...ofBoth,
  ['id', (id) => id === null || isText(id)],
  ['key', isText],
  ['state', isState],
  ['pending', isFields],
])

/**
 * Websites are checked by the hundred, and nearly all are made of the same few fields: these plain functions know such a one,
 * in a fraction of the time that its schema takes. They say yes only where the schema would too, and would leave it as it
 * is; of whatever they don't know the schema has to tell.
 */
export const isUsualRecord = (value: unknown): value is WebsiteRecord =>
  isMadeOf(value, ofRecord, ['id', 'domain', 'extra'])

/** One that others have changed, or of which the result of a batch is told, isn't. */
export const isUsualView = (value: unknown): value is WebsiteView =>
  isMadeOf(value, ofView, ['id', 'domain', 'extra', 'key', 'state', 'pending'])

/** Of these fields, and of no others; `needed` are those that can't be absent. */
function isMadeOf(value: unknown, fields: ReadonlyMap<string, Is>, needed: readonly string[]): boolean {
  if (!isPlain(value)) return false
  for (const name of Object.keys(value)) if (fields.get(name)?.(value[name]) !== true) return false
  return needed.every((name) => Object.hasOwn(value, name))
}
