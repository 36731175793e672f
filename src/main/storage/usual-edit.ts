import { areSettings, isMadeOf, isText, isToggle, type Is } from '../../shared/usual.ts'
import type { Edit } from '../outbox/edit.ts'

const isCount: Is = (value) => Number.isSafeInteger(value)
const isNumber: Is = (value) => Number.isFinite(value)

const ofBase = new Map<string, Is>([
  ['settings', areSettings],
  ['updated_at', isText],
])
const ofStanding = new Map<string, Is>([['state', (state) => state === 'queued' || state === 'sending']])
const ofSent = new Map<string, Is>([
  ['before', (before) => before === 'absent' || before === 'present' || before === 'unknown'],
  ['date', (date) => date === null || isNumber(date)],
  ['accepted', isToggle],
  ['doubted', isToggle],
])
const NOTED = [...ofSent.keys()]
const ofEdit = new Map<string, Is>([
  ['id', isText],
  ['seq', isCount],
  ['website', isText],
  ['kind', (kind) => kind === 'create' || kind === 'update' || kind === 'delete'],
  ['settings', areSettings],
  ['sealed', (sealed) => sealed === null || sealed instanceof Uint8Array],
  ['base', (base) => isMadeOf(base, ofBase, ['settings'])],
  ['standing', (standing) => isMadeOf(standing, ofStanding, ['state'])],
  ['attempts', isCount],
  ['sent', (sent) => sent === null || isMadeOf(sent, ofSent, NOTED)],
  ['changedAt', isNumber],
])

const ALL = [...ofEdit.keys()]

/** One that waits or is being sent, and that nothing has happened to besides (usual.ts). */
export const isUsualEdit = (value: unknown): value is Edit => isMadeOf(value, ofEdit, ALL)
