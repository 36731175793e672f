import { m } from '../../messages/index.ts'
import { PRIVACY } from '../fields.ts'
import type { FieldName, Privacy } from '../website.ts'

const labels: Record<FieldName, () => string> = {
  domain: m.field_domain,
  privacy: m.field_privacy,
  password: m.field_password,
  email: m.field_email,
  exclude_bots: m.field_exclude_bots,
  exclude_ips: m.field_exclude_ips,
  exclude_params: m.field_exclude_params,
}

/** Returns the label of a field, or the name itself for a field that this version doesn't know. */
export const fieldLabel = (name: string): string => (Object.hasOwn(labels, name) ? labels[name as FieldName]() : name)

/** The text for a value that the service does not show. */
export const UNKNOWN = '–'

const privacyLabels: Record<Privacy, () => string> = {
  0: m.privacy_public,
  1: m.privacy_private,
  2: m.privacy_password,
}

/** Returns the name of a privacy, or a text for an unknown one. */
export const privacyLabel = (value: Privacy | undefined): string =>
  value === undefined ? UNKNOWN : privacyLabels[value]()

/** Returns the text for a switch, or for an unknown value. */
export const onOffText = (value: boolean | undefined): string =>
  value === undefined ? UNKNOWN : value ? m.common_on() : m.common_off()

/** Returns the text for the value of any setting that is no list. */
export const privacyOrSwitchText = (value: Privacy | boolean | undefined): string =>
  typeof value === 'boolean' ? onOffText(value) : privacyLabel(value)

export const privacyOptions = () =>
  Object.values(PRIVACY).map((privacy) => ({ value: `${privacy}` as const, label: privacyLabel(privacy) }))
