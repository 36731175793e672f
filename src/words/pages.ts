import { number } from './numbers.ts'

/** Between the pages of a list. */
export const pagerWords = { name: 'Pages', previous: 'Previous page', next: 'Next page' }

export const pageOf = (page: number, pages: number): string => `${number(page)} of ${number(pages)}`
