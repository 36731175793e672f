import { protocol } from 'electron'
import { readFile } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'

const SCHEME = 'app'
const HOST = 'bundle'
/** The address of the built page. */
export const PAGE_URL = `${SCHEME}://${HOST}/index.html`
export const PAGE_ORIGIN = `${SCHEME}://${HOST}`

/** Allows nothing remote, nothing inline and no network: the page gets its data over the bridge. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  // Svelte's policy for component templates. No other can be created.
  'trusted-types svelte-trusted-html',
].join('; ')

const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** Must run before the app is ready. `codeCache` avoids compiling the page's script at each opening. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, codeCache: true } },
  ])
}

/** Serves the built renderer from `folder`, and nothing else. */
export function serveRenderer(folder: string): void {
  protocol.handle(SCHEME, async ({ method, url }) => {
    const file = method === 'GET' ? fileOf(new URL(url), folder) : null
    if (file === null) return notFound()
    try {
      return new Response(new Uint8Array(await readFile(file.path)), { headers: headers(file.type) })
    } catch {
      return notFound()
    }
  })
}

/** Returns the file of the bundle that a URL asks for, with its content type. Null for another host, folder or type. */
export function fileOf({ host, pathname }: URL, folder: string): { path: string; type: string } | null {
  if (host !== HOST || !isUsablePath(pathname)) return null
  const path = normalize(join(folder, decodeURIComponent(pathname)))
  const type = CONTENT_TYPES[extname(path)]
  return type !== undefined && path.startsWith(folder + sep) ? { path, type } : null
}

/** False if the path cannot be decoded or has a null byte. */
function isUsablePath(pathname: string): boolean {
  try {
    return !decodeURIComponent(pathname).includes('\0')
  } catch {
    return false
  }
}

const headers = (type: string): Record<string, string> => ({
  'content-type': type,
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // Otherwise the page could make Chromium look up a name and so reveal it, which no content policy forbids.
  'x-dns-prefetch-control': 'off',
  'permissions-policy':
    'camera=(), microphone=(), geolocation=(), display-capture=(), usb=(), serial=(), hid=(), bluetooth=(), midi=()',
})

const notFound = (): Response => new Response(null, { status: 404 })
