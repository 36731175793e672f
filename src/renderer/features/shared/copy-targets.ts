import type { AccountState } from '../../../shared/account-state.ts'
import type { AppState } from '../../../shared/state.ts'

/** Returns the accounts that websites of the account shown can be copied to. */
export const copyTargets = (state: AppState | null): readonly AccountState[] =>
  (state?.accounts ?? []).filter(({ id, running, readOnly }) => id !== state?.connection?.id && running && !readOnly)
