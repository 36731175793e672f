import { shortened } from '../shared/display/domain.ts'
import type { ChangedField, RemoteChange, SomeDomains } from '../shared/website.ts'
import { timeOf } from './dates.ts'
import { count, number } from './numbers.ts'
import { fieldWords } from './websites.ts'

/** What others did, in a word or two. */
const remoteChangeWords: Record<RemoteChange['what'], string> = {
  added: 'New elsewhere',
  changed: 'Changed elsewhere',
}

/** The same on a mark, which has no room for more; its hint says all of it. */
export const remoteChangeMark: Record<RemoteChange['what'], string> = { added: 'New elsewhere', changed: 'Elsewhere' }

const andOf = new Intl.ListFormat('en', { type: 'conjunction' })

/** The fields that others changed: "Privacy and Excluded IP addresses (2 added)"; undefined: nobody knows. */
export function remoteChangeFields({ what, fields }: RemoteChange): string | undefined {
  if (what === 'added' || fields === undefined) return undefined
  return fields.length === 0 ? 'something that the service doesn’t show' : andOf.format(fields.map(fieldChanged))
}

function fieldChanged({ name, added = 0, removed = 0 }: ChangedField): string {
  const lines = [added > 0 && `${number(added)} added`, removed > 0 && `${number(removed)} removed`].filter(Boolean)
  return lines.length === 0 ? fieldWords[name] : `${fieldWords[name]} (${lines.join(', ')})`
}

/** All that is known of it, on a line of its own. */
const remoteChangeTold = (remoteChange: RemoteChange): string =>
  [remoteChangeWords[remoteChange.what], remoteChangeFields(remoteChange)].filter(Boolean).join(': ')
export const remoteChangeSeen = (remoteChange: RemoteChange, time = timeOf(remoteChange.at)): string =>
  `${remoteChangeTold(remoteChange)}, seen ${time}`

export const countRemoteChanges = (n: number): string =>
  `${number(n)} ${n === 1 ? 'website is' : 'websites are'} new or changed elsewhere.`

/** The first of so many: "a.example, b.example, and 3 more". */
function namedOf(domains: readonly string[], n: number): string {
  const others = n - domains.length
  return andOf.format([...domains.map(shortened), ...(others > 0 ? [`${number(others)} more`] : [])])
}

/** "3 websites were deleted elsewhere: a.example, b.example, and c.example." */
export function deletedRemotely({ count: n, domains }: SomeDomains): string {
  return `${count(n, 'website was', 'websites were')} deleted elsewhere: ${namedOf(domains, n)}.`
}

/** Where the websites of a bulk change are shown. */
export const goneOfBulkChange = ({ count: n, domains }: SomeDomains): string =>
  `${count(n, 'website of the batch isn’t', 'websites of the batch aren’t')} in the list any more: ${namedOf(domains, n)}.`

/** What is meant by that. */
export const sinceLooked = 'Since you last looked at them'

export const remoteChangeActs = { show: 'Show them', showAll: 'Show all websites', seen: 'Mark all as seen' }
