import { protocol } from 'electron'
import { readFile } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'

const SCHEME = 'app'
const HOST = 'bundle'
export const PAGE_URL = `${SCHEME}://${HOST}/index.html`
export const PAGE_ORIGIN = `${SCHEME}://${HOST}`

/** Nothing remote, nothing inline, no network from the page at all: what it needs comes over the bridge. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** Has to run before the app is ready. */
export function declareScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: SCHEME, privileges: { standard: true, secure: true } }])
}

/** Serves the built renderer from `folder`, and nothing else. */
export function serveRenderer(folder: string): void {
  protocol.handle(SCHEME, async (request) => {
    const url = new URL(request.url)
    const file = normalize(join(folder, decodeURIComponent(url.pathname)))
    const type = TYPES[extname(file)]
    if (url.host !== HOST || type === undefined || !file.startsWith(folder + sep)) return notFound()
    try {
      return new Response(new Uint8Array(await readFile(file)), { headers: headers(type) })
    } catch {
      return notFound()
    }
  })
}

const headers = (type: string): Record<string, string> => ({
  'content-type': type,
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
})

const notFound = (): Response => new Response(null, { status: 404 })
