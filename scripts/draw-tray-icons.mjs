// @ts-check
/**
 * Draws the tray icons for each OS, and resources/overlay.png (the mark in the taskbar of Windows), with the tests' Chromium:
 * `node scripts/draw-tray-icons.mjs`. The results are committed.
 * Linux: PNGs of 22 and 44 px. Windows: an ICO with all sizes. macOS: black and transparent template images of 16 and 32 px.
 */
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { inProject } from './setup/project.mjs'

const folder = inProject('resources', 'tray')
const sources = join(folder, 'sources')
const ICO_SIZES = [16, 20, 24, 32, 48]

const browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium' })
const page = await browser.newPage()

/**
 * @param {string} svg
 * @param {number} size pixels
 */
const draw = async (svg, size) => {
  await page.setViewportSize({ width: size, height: size })
  await page.setContent(
    `<style>* { margin: 0 } svg { display: block; width: ${size}px; height: ${size}px }</style>${svg}`,
  )
  return page.screenshot({ omitBackground: true })
}

/** @param {{ size: number, png: Buffer }[]} images each with its width in pixels */
const icoOf = (images) => {
  const head = Buffer.alloc(6 + images.length * 16)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(images.length, 4)
  let offset = head.length
  images.forEach(({ size, png }, at) => {
    const entry = 6 + at * 16
    head.writeUInt8(size, entry)
    head.writeUInt8(size, entry + 1)
    head.writeUInt16LE(1, entry + 4)
    head.writeUInt16LE(32, entry + 6)
    head.writeUInt32LE(png.length, entry + 8)
    head.writeUInt32LE(offset, entry + 12)
    offset += png.length
  })
  return Buffer.concat([head, ...images.map(({ png }) => png)])
}

for (const os of ['linux', 'windows', 'macos']) mkdirSync(join(folder, os), { recursive: true })
for (const file of readdirSync(sources)) {
  const svg = readFileSync(join(sources, file), 'utf8')
  const name = file.slice(0, file.indexOf('.'))
  if (file.endsWith('.template.svg')) {
    writeFileSync(join(folder, 'macos', `${name}Template.png`), await draw(svg, 16))
    writeFileSync(join(folder, 'macos', `${name}Template@2x.png`), await draw(svg, 32))
    continue
  }
  writeFileSync(join(folder, 'linux', `${name}.png`), await draw(svg, 22))
  writeFileSync(join(folder, 'linux', `${name}@2x.png`), await draw(svg, 44))
  const images = []
  for (const size of ICO_SIZES) images.push({ size, png: await draw(svg, size) })
  writeFileSync(join(folder, 'windows', `${name}.ico`), icoOf(images))
}
const overlay = readFileSync(inProject('resources', 'overlay.svg'), 'utf8')
writeFileSync(inProject('resources', 'overlay.png'), await draw(overlay, 16))
writeFileSync(inProject('resources', 'overlay@2x.png'), await draw(overlay, 32))
await browser.close()
