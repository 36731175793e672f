import { runtime } from '../runtime.ts'
import type { SchemeHandler } from '../scheme/requests.ts'
import { strict } from '../strict.ts'
import { singlesOf } from './ports.ts'

interface CustomScheme {
  scheme: string
  privileges?: { standard?: boolean; secure?: boolean }
}

/** Schemes with the privileges `standard` and `secure`: those are what the mapping to https gives them. */
export function createProtocol(): object {
  const { addresses, schemeHandlers } = runtime()
  const registered = new Set<string>()
  return strict(
    {
      registerSchemesAsPrivileged(schemes: CustomScheme[]): void {
        if (singlesOf().app.isReady()) {
          throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready')
        }
        for (const { scheme, privileges } of schemes) {
          if (!privileges?.standard || !privileges.secure) {
            throw new Error(`the development host has only standard and secure schemes, and ${scheme} is none`)
          }
          registered.add(scheme)
          addresses.add(scheme)
        }
      },
      handle(scheme: string, handler: SchemeHandler): void {
        if (!registered.has(scheme))
          throw new Error(`the development host serves only privileged schemes, not ${scheme}`)
        if (schemeHandlers.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`)
        schemeHandlers.set(scheme, handler)
      },
      unhandle(scheme: string): void {
        schemeHandlers.delete(scheme)
      },
      isProtocolHandled: (scheme: string) => schemeHandlers.has(scheme),
    },
    'protocol',
  )
}
