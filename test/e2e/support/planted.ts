/**
 * The secrets that the tests type. They are searched for after the last test, everywhere but in the keychain, and so
 * are recognisable, and spelled differently in base64, in a URL and in hex.
 */
export const planted = {
  apiKey: 'planted-key/7Qw+3fVx~canary',
  password: 'planted pass/word+lantern?42',
  /** One that is typed offline, and waits sealed over a restart. */
  sealedPassword: 'planted pass/word+tunnel?7',
  wrongKey: 'planted-key/not+the~one',
} as const
