/** Starts the app without a window. Used by autostart. */
export const HIDDEN_SWITCH = '--hidden'
/** Marks a restart after an uncaught error. */
export const AFTER_CRASH_SWITCH = '--after-crash'

/** What the command line of a start asks for. */
export interface StartArguments {
  hidden: boolean
  /** The link that the app was opened with; null if there is none, or several, which no click produces. */
  link: string | null
}

const isLink = (argument: string): boolean => /^siteward:/i.test(argument)

/**
 * Returns the arguments for a restart: without the switches that apply to one start only, and without links, which were followed
 * already.
 */
export const restartArguments = (args: readonly string[]): string[] =>
  args.filter((argument) => argument !== HIDDEN_SWITCH && argument !== AFTER_CRASH_SWITCH && !isLink(argument))

/** Chromium adds its own arguments in any order. */
export function readArguments(argv: readonly string[]): StartArguments {
  const links = argv.filter(isLink)
  return { hidden: argv.includes(HIDDEN_SWITCH), link: links.length === 1 ? (links[0] ?? null) : null }
}
