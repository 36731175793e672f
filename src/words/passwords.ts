import type { Strength } from '../renderer/state/password-strength.ts'

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

export const passwordHeld = { waits: 'A password waits', set: 'A password is set' }

/** On the button that shows what was typed. */
export const revealWords = { key: 'Show key', password: 'Show password', statistics: 'Show statistics password' }
export type Secret = keyof typeof revealWords

export const noPassword = 'Type the statistics password.'
export const noPasswordAgain = 'Type the statistics password: the service never shows it.'
export const typedAnew = 'The service never shows it, so it has to be typed anew.'
