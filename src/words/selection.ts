import { MOST_DELETED } from '../shared/fields.ts'
import { keyName } from './keys.ts'
import { count, number } from './numbers.ts'

export const selectedWords = (n: number): string => `${number(n)} selected`

export const tooManyWords = `At most ${number(MOST_DELETED)} websites are deleted at once.`

export const bulkDeleteTitle = (n: number): string => `Delete ${count(n, 'website')}?`

const butFor = (refused: number): string => (refused === 0 ? '' : ` ${number(refused)} couldn’t be.`)

export const bulkDeletedWords = (n: number, refused: number): string =>
  `${count(n, 'website')} will be deleted.${butFor(refused)}`

export const selectionWords = {
  name: 'Selected websites',
  clear: 'Clear the selection',
  clearTip: 'Clear the selection (Escape)',
}
export const allTip = (): string => `Select all (${keyName('Mod+A')})`
export const selectAll = (n: number): string => `Select all ${number(n)}`
export const selectAllShort = (n: number): string => `all ${number(n)}`

export const bulkDeleteSaid =
  'The websites and all their statistics are deleted on the service, for good. Nothing can bring them back.'
