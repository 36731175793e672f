import { existsSync, readFileSync } from 'node:fs'
import { Strict, strict } from '../strict.ts'

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

interface Size {
  width: number
  height: number
}

/** A PNG with its size; nothing is decoded, so nothing is scaled. Any other format is an empty image. */
export class NativeImage extends Strict {
  static override readonly apiName = 'NativeImage'
  /** Where it came from, for tests; empty where it didn't come from a file. */
  readonly path: string
  isMacTemplateImage = false
  readonly #png: Buffer
  readonly #size: Size | undefined

  private constructor(bytes: Buffer, path: string, size?: Size) {
    super()
    const isPng = bytes.subarray(0, 8).equals(PNG_SIGNATURE)
    this.#png = isPng ? bytes : Buffer.alloc(0)
    this.#size = size
    this.path = path
  }

  static ofBytes(bytes: Buffer, path = '', size?: Size): NativeImage {
    return new NativeImage(bytes, path, size)
  }

  isEmpty(): boolean {
    return this.#png.length === 0
  }

  getSize(): Size {
    if (this.isEmpty()) return { width: 0, height: 0 }
    return this.#size ?? { width: this.#png.readUInt32BE(16), height: this.#png.readUInt32BE(20) }
  }

  toPNG(): Buffer {
    return this.#png
  }

  toDataURL(): string {
    return `data:image/png;base64,${this.#png.toString('base64')}`
  }

  /** Says the new size, and keeps the picture. */
  resize(wanted: Partial<Size>): NativeImage {
    const { width, height } = this.getSize()
    const ratio = width / height
    const size = {
      width: wanted.width ?? Math.round((wanted.height ?? height) * ratio),
      height: wanted.height ?? Math.round((wanted.width ?? width) / ratio),
    }
    return new NativeImage(this.#png, this.path, size)
  }

  setTemplateImage(isTemplate: boolean): void {
    this.isMacTemplateImage = isTemplate
  }

  isTemplateImage(): boolean {
    return this.isMacTemplateImage
  }

  /** The screen here has one density. */
  addRepresentation(): void {}
}

const fromPath = (path: string): NativeImage =>
  NativeImage.ofBytes(existsSync(path) ? readFileSync(path) : Buffer.alloc(0), path)

/** Tray, window and notification take an image or a path. */
export const imageOf = (image: NativeImage | string): NativeImage =>
  typeof image === 'string' ? fromPath(image) : image

export const nativeImage = (): object =>
  strict(
    {
      createEmpty: () => NativeImage.ofBytes(Buffer.alloc(0)),
      createFromPath: fromPath,
      createFromBuffer: (bytes: Buffer) => NativeImage.ofBytes(bytes),
      createFromDataURL: (url: string) => NativeImage.ofBytes(Buffer.from(url.replace(/^[^,]*,/, ''), 'base64')),
    },
    'nativeImage',
  )
