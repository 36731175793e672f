import type { Component } from 'svelte'
import type { FieldName } from '../../../shared/fields.ts'
import DomainField from './DomainField.svelte'
import ListFields from './ListFields.svelte'
import PrivacyFields from './PrivacyFields.svelte'
import SwitchFields from './SwitchFields.svelte'
import type { WebsiteForm } from './website-form.svelte.ts'

/** The component that draws each field. A field without a component is a compile error. */
export type FieldComponents = Readonly<Record<FieldName, Component<{ form: WebsiteForm }>>>

/** The component of the editor that draws each field. */
export const fieldComponents: FieldComponents = {
  domain: DomainField,
  privacy: PrivacyFields,
  password: PrivacyFields,
  email: SwitchFields,
  exclude_bots: SwitchFields,
  exclude_ips: ListFields,
  exclude_params: ListFields,
}
