// @ts-check
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { inProject, npm, root } from '../setup/project.mjs'

/** Returns a bill of materials (CycloneDX) of package-lock.json. The scope `optional` is for packages of the build only. */
export const billOfMaterials = () => {
  const { command, args, shell, env } = npm()
  const options = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only']
  const { status, stdout, stderr } = spawnSync(command, [...args, ...options], {
    ...{ cwd: root, env, shell, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  })
  if (status !== 0) throw new Error(`npm sbom failed:\n${stderr}`)
  const bill = JSON.parse(stdout)
  const { name, version } = JSON.parse(readFileSync(inProject('package.json'), 'utf8'))
  // npm takes the name from the folder, which may have any name.
  bill.metadata.component.name = name
  return { name: `${name}-${version}.cdx.json`, text: `${JSON.stringify(bill, null, 2)}\n` }
}
