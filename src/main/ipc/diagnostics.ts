import { ok } from '../../shared/result.ts'
import type { SetUpCheck } from '../../shared/diagnostics.ts'
import { typedHandlers } from './handlers.ts'

export interface DiagnosticsHandlersOptions {
  checkSetUp: () => Promise<SetUpCheck[]>
  /** `address`: includes the service's address. */
  report: (address: boolean) => Promise<string>
  copy: (text: string) => void
}

export const diagnosticsHandlers = ({ checkSetUp, report, copy }: DiagnosticsHandlersOptions) =>
  typedHandlers({
    checkSetUp: async () => ok(await checkSetUp()),
    copyDiagnostics: async ({ address }) => ok(copy(await report(address))),
  })
