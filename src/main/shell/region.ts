/**
 * Returns the system's locale for dates and times as a BCP 47 tag, or null if unknown. On Linux it comes from environment
 * variables (https://man7.org/linux/man-pages/man7/locale.7.html), because Chromium reads no `LC_TIME`. `systemLocale`: the
 * result of `app.getSystemLocale`, which may be empty, "C", or an ICU name with keywords.
 */
export function systemFormatLocale(
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
  systemLocale: string,
): string | null {
  const forTimes = platform === 'linux' ? env['LC_ALL'] || env['LC_TIME'] || env['LANG'] : undefined
  return languageTagOf(forTimes ?? '') ?? languageTagOf(systemLocale)
}

/** Accepts names such as `de_DE.UTF-8`, `de_DE@euro` or `de-DE`. Null for any other name, such as "C". */
function languageTagOf(name: string): string | null {
  const plain = name.replace(/[.@].*$/, '').replaceAll('_', '-')
  try {
    const [supported] = Intl.DateTimeFormat.supportedLocalesOf(plain)
    return supported ?? null
  } catch {
    return null
  }
}
