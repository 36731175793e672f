import { ok } from '../../shared/result.ts'
import type { RunRead } from './ports.ts'

/** Returns `otherwise` if the disk cannot be read now. */
export function readOr<T>(store: { read: RunRead }, otherwise: T, work: () => T): T {
  const done = store.read(() => ok(work()))
  return done.ok ? done.value : otherwise
}
