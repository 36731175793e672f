import { MOST_PRESET_NAME, MOST_TYPED } from '../shared/fields.ts'
import { number } from './numbers.ts'

/** What is told of input that can't be used, by main and by the screens alike: beside its field, in a sentence. */
export const inputWords = {
  noDomain: 'Enter the domain of the website.',
  badDomain: 'This is not a domain name. Enter one like example.com.',
  noPassword: 'Enter a statistics password.',
  longPassword: `This is too long: at most ${number(MOST_TYPED.password)} characters can be kept.`,
  needlessPassword: 'A statistics password is used only with the privacy "Password".',
  longList: 'This list is too long: at most 64 KiB of text can be kept.',
  longLine: `A line is too long, or there are too many: at most ${number(MOST_TYPED.lines)} lines of ${number(MOST_TYPED.line)} characters can be kept.`,
  unseenList: 'The service doesn’t show this list: it can only be replaced.',
  undecided: 'Not decided.',
  noName: 'Give it a name.',
  badName: `At most ${number(MOST_PRESET_NAME)} characters, without quotation marks.`,
  nameTaken: 'There is a preset of this name already.',
  nothingSet: 'Choose what it sets.',
} as const

export const tooManyPresets = (most: number): string => `At most ${number(most)} presets can be kept.`

export const listedAlready = (domain: string): string => `${domain} is in your list already.`

export const sentAs = (domain: string): string =>
  `This website has just been sent as ${domain}. Its domain can’t be changed any more.`

export const waitingAlready = (domain: string): string => `Other changes of ${domain} are waiting here already.`
