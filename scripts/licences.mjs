// @ts-check
/** The licences of all that is shipped: what Vite has put into the bundles, and the packages beside them. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** @typedef {{ name: string, version: string, licence: string, text: string }} Licence */

/** Licences that allow an app of another licence to ship the code. Another one is looked at by a person first. */
const allowed = ['MIT', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', 'Python-2.0']

/** The text of the MIT licence, but for who holds the copyright: https://spdx.org/licenses/MIT.html */
const isMit = /^MIT License\s[^]*Permission is hereby granted, free of charge, [^]*THE SOFTWARE IS PROVIDED "AS IS"/

/**
 * @param {{ name: string, version: string, license: unknown, text: string }} told
 * @returns {Licence}
 * @throws {Error} its licence is unknown, or not one that is allowed
 */
const checked = ({ name, version, license, text }) => {
  // svelte-toolbelt names none in its package.json (https://github.com/huntabyte/svelte-toolbelt/blob/main/LICENSE).
  const licence = license || (isMit.test(text) ? 'MIT' : null)
  if (typeof licence === 'string' && allowed.includes(licence)) return { name, version, licence, text }
  throw new Error(`${name} ${version} has the licence ${JSON.stringify(licence)}, which isn't among those allowed`)
}

/** @param {string} folder of one package */
export const licenceOf = (folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const named = readdirSync(folder).find((file) => /^(licen[cs]e|copying)(\.|$|-)/i.test(file))
  return checked({ name, version, license, text: named ? readFileSync(join(folder, named), 'utf8').trim() : '' })
}

/**
 * What Vite tells of the packages in a bundle (`build.license`).
 *
 * @param {string} json
 */
export const bundledLicences = (json) =>
  /** @type {{ name: string, version: string, identifier: string | null, text: string | null }[]} */ (
    JSON.parse(json)
  ).map(({ name, version, identifier, text }) => checked({ name, version, license: identifier, text: text ?? '' }))

/** @param {readonly Licence[]} licences */
export const inOneText = (licences) =>
  [...new Map(licences.map((licence) => [`${licence.name}@${licence.version}`, licence])).values()]
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
    .map(({ name, version, licence, text }) => `${name} ${version} (${licence})\n\n${text || 'No text came with it.'}`)
    .join(`\n\n${'-'.repeat(80)}\n\n`)
