import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Set in the runner before any test: its workers, and what they start, inherit the environment. */
export default function beginRecord(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'siteward-e2e-'))
  process.env['SITEWARD_E2E_RECORD'] = folder
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
