import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Image } from './disk.ts'

export function readImage(folder: string): Image {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return new Map(
    entries.map((entry) => {
      const file = join(entry.parentPath, entry.name)
      return [relative(folder, file), entry.isFile() ? readFileSync(file) : null]
    }),
  )
}

export function writeImage(folder: string, image: Image): void {
  mkdirSync(folder, { recursive: true })
  for (const [path, bytes] of image) {
    const file = join(folder, path)
    mkdirSync(bytes === null ? file : dirname(file), { recursive: true })
    if (bytes !== null) writeFileSync(file, bytes)
  }
}

/** Returns the paths at which two images differ. Ignores files that the recorder does not record (`inside` in recorder.c). */
export const difference = (one: Image, other: Image): string[] =>
  [...new Set([...one.keys(), ...other.keys()])].filter((path) => {
    if (path.endsWith('-shm')) return false
    const [a, b] = [one.get(path), other.get(path)]
    return a instanceof Buffer && b instanceof Buffer ? !a.equals(b) : a !== b
  })
