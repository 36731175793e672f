/** With it the app starts without a window: so it's started with the session. */
export const HIDDEN = '--hidden'

export interface StartArguments {
  hidden: boolean
  /** The link that the app was opened with, as it came; null: none, or several, of which nobody has clicked two. */
  link: string | null
}

/** What the command line asks for; Chromium puts arguments of its own among ours, in any order. */
export function readArguments(argv: readonly string[]): StartArguments {
  const links = argv.filter((argument) => /^siteward:/i.test(argument))
  return { hidden: argv.includes(HIDDEN), link: links.length === 1 ? (links[0] ?? null) : null }
}
