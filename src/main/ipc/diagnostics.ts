import { ok } from '../../shared/result.ts'
import type { SetUpCheck } from '../../shared/diagnostics.ts'
import type { Handlers } from './registrar.ts'

export interface DiagnosticsHandlersOptions {
  checkSetUp: () => Promise<SetUpCheck[]>
  /** As text, with the service's address or without. */
  report: (address: boolean) => Promise<string>
  copy: (text: string) => void
}

/** What the person looks at, or hands on, where something doesn't work. */
export function diagnosticsHandlers({
  checkSetUp,
  report,
  copy,
}: DiagnosticsHandlersOptions): Pick<Handlers, 'checkSetUp' | 'copyDiagnostics'> {
  return {
    checkSetUp: async () => ok(await checkSetUp()),
    copyDiagnostics: async ({ address }) => ok(copy(await report(address))),
  }
}
