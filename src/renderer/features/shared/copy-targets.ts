import type { AccountState } from '../../../shared/account-state.ts'
import type { AppState } from '../../../shared/state.ts'

/** Returns the accounts to which websites of the shown account can be copied. */
export const copyTargets = (state: AppState | null): readonly AccountState[] =>
  (state?.accounts ?? []).filter(({ id, running, readOnly }) => id !== state?.connection?.id && running && !readOnly)
