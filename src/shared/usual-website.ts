import { fieldNames, isWebsiteId, websiteStates } from './fields.ts'
import { isJson, isPlain } from './json.ts'
import { areAll, areChanges, areSettings, isLines, isMadeOf, isPrivacy, isText, isToggle, type Is } from './usual.ts'
import type { WebsiteRecord, WebsiteView } from './website.ts'

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

/** A website as it nearly always is (usual.ts). */
export const isUsualRecord = (value: unknown): value is WebsiteRecord =>
  isMadeOf(value, ofRecord, ['id', 'domain', 'extra'])

const ofUpdate = new Map<string, Is>([
  ['key', (key) => typeof key === 'string' && key.length >= 1 && key.length <= 100],
  ['changes', areChanges],
  ['seen', areSettings],
])

/** What is asked with an update, as the window asks it. */
export const isUsualUpdate: Is = (value) => isMadeOf(value, ofUpdate, ['key', 'changes'])

/** One that others have changed, or of which the result of a batch is told, isn't. */
export const isUsualView = (value: unknown): value is WebsiteView =>
  isMadeOf(value, ofView, ['id', 'domain', 'extra', 'key', 'state', 'pending'])
