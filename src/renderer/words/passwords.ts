import type { Strength } from '../state/password-strength.ts'

export const passwordActs = { make: 'Make one', copy: 'Copy' }
export const copiedWords = { done: 'Copied.', failed: 'It couldn’t be copied.' }

/** How a password stands up to who tries many; an estimate, and it says no more than it knows. */
export const strengthWords: Record<Strength['grade'], string> = {
  easy: 'Easy to guess.',
  fair: 'Can be guessed, with patience.',
  hard: 'Hard to guess.',
}

export const strengthReasons: Record<NonNullable<Strength['why']>, string> = {
  known: 'It has a word in it that is tried first.',
  domain: 'It has the domain in it.',
  row: 'It repeats itself, or follows the keyboard.',
  short: 'A longer one would be better.',
}
