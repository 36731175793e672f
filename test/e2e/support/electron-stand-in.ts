import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { NtExecutable, NtExecutableResource, Resource } from 'resedit'

/** The text before the fuses in Electron's binary. Their version (one byte), number (one byte) and states follow. */
const MARK = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
const OFFICIAL_FUSE_STATES = '101100011'
const FUSES = Buffer.from(`${MARK}\x01${'\x09'}${OFFICIAL_FUSE_STATES}`, 'latin1')

export function fusesOf(binary: string): string {
  const text = readFileSync(binary, 'latin1')
  const at = text.indexOf(MARK)
  if (at < 0) throw new Error(`${binary} has no fuses`)
  return text.slice(at + MARK.length + 2, at + FUSES.length)
}

/**
 * Writes distributions of Electron for Linux, Windows and macOS into a folder, with the parts that electron-builder
 * reads. Their binaries have fuses and can't run.
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

/** Returns a program with a version resource, into which the builder writes the archive's checksum. */
function windowsBinary(): Buffer {
  const binary = NtExecutable.createEmpty(false, false)
  const resources = NtExecutableResource.from(binary)
  const language = { lang: 1033, codepage: 1200 }
  const version = [{ ...language, values: { ProductName: 'Electron' } }]
  Resource.VersionInfo.create(language.lang, {}, version).outputToResourceEntries(resources.entries)
  resources.outputResource(binary)
  return Buffer.concat([Buffer.from(binary.generate()), FUSES])
}

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

/** Returns a macOS icon with a picture, which the builder would otherwise create with a downloaded tool. */
export function macIcon(png: Buffer): Buffer {
  const entry = withLength('ic09', png)
  return withLength('icns', entry)
}

function withLength(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length + 8)
  return Buffer.concat([Buffer.from(type), length, content])
}
