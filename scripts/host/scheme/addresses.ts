/**
 * Chromium can't be taught a new scheme from outside, so `app://bundle/x` is `https://bundle.app.invalid/x` inside of
 * it: a name that never resolves (RFC 6761), with the secure context and the storage of https.
 */
export class Addresses {
  readonly #schemes = new Set<string>()

  /** The `app` in app://; a scheme has to be known before it's mapped. */
  add(scheme: string): void {
    this.#schemes.add(scheme.toLowerCase())
  }

  toChromium(url: string): string {
    const [, scheme = '', host, rest] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/i.exec(url) ?? []
    return this.#schemes.has(scheme.toLowerCase()) ? `https://${host}.${scheme.toLowerCase()}.invalid${rest}` : url
  }

  toApp(url: string): string {
    const [, host, scheme = '', rest] = /^https:\/\/([^/?#]+)\.([a-z0-9-]+)\.invalid((?:[/?#].*)?)$/i.exec(url) ?? []
    return this.#schemes.has(scheme) ? `${scheme}://${host}${rest}` : url
  }

  /** Sources such as `app:` and `app://host` of a Content-Security-Policy. */
  policyToChromium(policy: string): string {
    let mapped = policy
    for (const scheme of this.#schemes) {
      const source = new RegExp(`(?<=^|[\\s;])${scheme}:(?://([^\\s;/]+))?`, 'g')
      mapped = mapped.replace(source, (_all, host = '*') => `https://${host}.${scheme}.invalid`)
    }
    return mapped
  }
}
