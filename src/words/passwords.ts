export const passwordActs = { make: 'Generate', copy: 'Copy' }
export const copiedWords = { done: 'Copied.', failed: 'It couldn’t be copied.' }

export const passwordHeld = { waits: 'A password waits', set: 'A password is set' }

/** On the button that shows what was typed. */
export const revealWords = { key: 'Show key', password: 'Show password', statistics: 'Show statistics password' }
export type Secret = keyof typeof revealWords

export const noPassword = 'Type the statistics password.'
export const noPasswordAgain = 'Type the statistics password: the service never shows it.'
export const typedAnew = 'The service never shows it, so it has to be typed anew.'
