/**
 * The secrets that the tests type. After the last test they are searched for everywhere except in the keychain, so they
 * are recognizable and look different in base64, in a URL and in hex.
 */
export const planted = {
  apiKey: 'planted-key/7Qw+3fVx~canary',
  password: 'planted pass/word+lantern?42',
  /** A password that is typed offline, and stays sealed over a restart. */
  sealedPassword: 'planted pass/word+tunnel?7',
  proxyPassword: 'planted proxy/word+harbour?3',
  passphrase: 'planted phrase/word+compass?9',
  wrongKey: 'planted-key/not+the~one',
} as const
