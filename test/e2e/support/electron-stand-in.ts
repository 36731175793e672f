import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { NtExecutable, NtExecutableResource, Resource } from 'resedit'

/** What Electron's own binary has there: a mark, the version and number of its fuses, and their states. */
const MARK = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
const AS_ELECTRON_HAS_THEM = '101100011'
const FUSES = Buffer.from(`${MARK}\x01${'\x09'}${AS_ELECTRON_HAS_THEM}`, 'latin1')

/** The states of the fuses in a binary, one digit each. */
export function fusesOf(binary: string): string {
  const text = readFileSync(binary, 'latin1')
  const at = text.indexOf(MARK)
  if (at < 0) throw new Error(`${binary} has no fuses`)
  return text.slice(at + MARK.length + 2, at + FUSES.length)
}

/**
 * Electron's distributions for Linux, Windows and macOS in one folder, as far as the builder looks into them: binaries that
 * have fuses and run nothing.
 */
export function writeElectronStandIn(folder: string): void {
  mkdirSync(join(folder, 'resources'), { recursive: true })
  writeFileSync(join(folder, 'electron'), FUSES, { mode: 0o755 })
  writeFileSync(join(folder, 'electron.exe'), windowsBinary())
  const app = writeMacApp(folder, 'Electron')
  for (const kind of ['', ' (GPU)', ' (Plugin)', ' (Renderer)'])
    writeMacApp(join(app, 'Contents', 'Frameworks'), `Electron Helper${kind}`)
  const framework = join(app, 'Contents', 'Frameworks', 'Electron Framework.framework')
  mkdirSync(framework)
  writeFileSync(join(framework, 'Electron Framework'), FUSES)
}

/** With a version, beside which the builder writes what the archive has to be. */
function windowsBinary(): Buffer {
  const binary = NtExecutable.createEmpty(false, false)
  const resources = NtExecutableResource.from(binary)
  const language = { lang: 1033, codepage: 1200 }
  const version = [{ ...language, values: { ProductName: 'Electron' } }]
  Resource.VersionInfo.create(language.lang, {}, version).outputToResourceEntries(resources.entries)
  resources.outputResource(binary)
  return Buffer.concat([Buffer.from(binary.generate()), FUSES])
}

/** What the archive has to be by a binary of Windows. */
export function integrityIn(binary: string): unknown {
  const { entries } = NtExecutableResource.from(NtExecutable.from(readFileSync(binary)))
  const entry = entries.find(({ id }) => id === 'ELECTRONASAR')
  return entry && (JSON.parse(Buffer.from(entry.bin).toString()) as { value: unknown }[])[0]?.value
}

function writeMacApp(folder: string, name: string): string {
  const app = join(folder, `${name}.app`)
  mkdirSync(join(app, 'Contents', 'MacOS'), { recursive: true })
  mkdirSync(join(app, 'Contents', 'Resources'))
  writeFileSync(join(app, 'Contents', 'MacOS', name), '', { mode: 0o755 })
  writeFileSync(
    join(app, 'Contents', 'Info.plist'),
    `<plist version="1.0"><dict><key>CFBundleExecutable</key><string>${name}</string></dict></plist>`,
  )
  return app
}

/** An icon of macOS' kind around a picture, which the builder would make of it with a tool that it downloads. */
export function macIcon(png: Buffer): Buffer {
  const entry = withLength('ic09', png)
  return withLength('icns', entry)
}

function withLength(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length + 8)
  return Buffer.concat([Buffer.from(type), length, content])
}
