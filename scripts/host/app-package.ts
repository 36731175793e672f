import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

export interface AppPackage {
  /** The app's folder. */
  path: string
  /** The file that is run. */
  main: string
  name: string
  version: string
}

interface PackageJson {
  name?: string
  productName?: string
  version?: string
  main?: string
}

export function readAppPackage(given: string): AppPackage {
  const path = resolve(given)
  if (!existsSync(path)) throw new Error(`there is no app at ${path}`)
  const isFolder = statSync(path).isDirectory()
  const folder = isFolder ? path : dirname(path)
  const json = readPackageJson(folder)
  return {
    path: folder,
    main: isFolder ? join(folder, json.main ?? 'index.js') : path,
    name: json.productName ?? json.name ?? 'Electron',
    version: json.version ?? '0.0.0',
  }
}

function readPackageJson(folder: string): PackageJson {
  const file = join(folder, 'package.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as PackageJson) : {}
}
