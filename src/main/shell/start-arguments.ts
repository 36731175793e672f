/** With it the app starts without a window: so it's started with the session. */
export const HIDDEN = '--hidden'
/** With it it starts by itself, after an error that nobody caught. */
export const AFTER_CRASH = '--after-crash'

export interface StartArguments {
  hidden: boolean
  /** The link that the app was opened with, as it came; null: none, or several, of which nobody has clicked two. */
  link: string | null
}

const isLink = (argument: string): boolean => /^siteward:/i.test(argument)

/** Of what a start was given, what goes for the next one too: a link has been followed. */
export const forRestart = (args: readonly string[]): string[] =>
  args.filter((argument) => argument !== HIDDEN && argument !== AFTER_CRASH && !isLink(argument))

/** What the command line asks for; Chromium puts arguments of its own among ours, in any order. */
export function readArguments(argv: readonly string[]): StartArguments {
  const links = argv.filter(isLink)
  return { hidden: argv.includes(HIDDEN), link: links.length === 1 ? (links[0] ?? null) : null }
}
