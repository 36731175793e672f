import type { FieldName } from '../../shared/fields.ts'
import { count } from './numbers.ts'

/** What a column of pasted text may be called in its first line, in lower case. */
export const columnNames: Record<FieldName, readonly string[]> = {
  domain: ['domain', 'website', 'site', 'url', 'host', 'hostname', 'name'],
  privacy: ['privacy', 'visibility', 'access'],
  password: ['password', 'statistics password'],
  email: ['email', 'email reports', 'reports'],
  exclude_bots: ['exclude_bots', 'exclude bots', 'bots'],
  exclude_ips: ['exclude_ips', 'excluded ip addresses', 'exclude ips', 'ips', 'ip addresses'],
  exclude_params: ['exclude_params', 'excluded url parameters', 'exclude params', 'params', 'parameters'],
}

export const privacyNames: readonly (readonly string[])[] = [
  ['0', 'public'],
  ['1', 'private'],
  ['2', 'password'],
]
export const yesNames = ['1', 'yes', 'true', 'on', 'enabled', 'y']
export const noNames = ['0', 'no', 'false', 'off', 'disabled', 'n']

export const rowErrors = {
  privacy: (typed: string) => `“${typed}” is no privacy: write public, private or password.`,
  onOff: (typed: string) => `“${typed}” is neither yes nor no.`,
  twice: (line: number) => `It’s in line ${line} already.`,
}

export const addManyWords = {
  title: 'Add several websites',
  hint: 'One domain a line, or a table copied from a spreadsheet. Whatever isn’t in it gets the service’s defaults.',
  label: 'Domains',
  placeholder: 'example.com\nshop.example.com',
  ignored: 'Leave out',
}

/** What would be added of what was pasted. */
export const sumWords = (good: number, bad: number): string =>
  [good > 0 && `${count(good, 'website')} to add.`, bad > 0 && `${count(bad, 'line')} can’t be added.`]
    .filter(Boolean)
    .join(' ')

export const tooManyWords = (n: number): string =>
  `At most 1,000 are added at once: ${count(n, 'line')} further down are left out.`

export const addAction = (n: number): string => (n === 0 ? 'Add websites' : `Add ${count(n, 'website')}`)

/** Once they're queued. */
export const addedWords = (n: number): string => `${count(n, 'website')} added.`

export const takenBackWords = (n: number, left: number): string =>
  left === 0
    ? `${count(n, 'website')} taken back.`
    : `${count(n, 'website')} taken back; ${left} had been sent by then.`
