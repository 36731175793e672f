import { ok } from '../../shared/result.ts'
import type { SetUpCheck } from '../../shared/diagnostics.ts'
import { typedHandlers } from './handlers.ts'

export interface DiagnosticsHandlersOptions {
  checkSetUp: () => Promise<SetUpCheck[]>
  /** Returns the report, with the service's address if `address` is true. */
  report: (address: boolean) => Promise<string>
  copy: (text: string) => void
}

/** Returns the handlers of commands about troubleshooting. */
export const diagnosticsHandlers = ({ checkSetUp, report, copy }: DiagnosticsHandlersOptions) =>
  typedHandlers({
    checkSetUp: async () => ok(await checkSetUp()),
    copyDiagnostics: async ({ address }) => ok(copy(await report(address))),
  })
