import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Creates the folder of the run's recordings, and names it in the environment before any test, so that the workers and the
 * processes that they start inherit it. Returns a function that removes the folder.
 */
export default function beginRecord(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'siteward-e2e-'))
  process.env['SITEWARD_E2E_RECORD'] = folder
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
