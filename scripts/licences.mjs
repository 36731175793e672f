// @ts-check
/** The licenses of everything that is shipped: the packages in the bundles, and those beside them. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** @typedef {{ name: string, version: string, licence: string, text: string }} Licence */

/** Licenses whose code may be part of an app under another license. A person has to review any other license first. */
const allowed = ['MIT', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', 'Python-2.0']

/** Matches the MIT license text with any copyright holder: https://spdx.org/licenses/MIT.html */
const isMit = /^MIT License\s[^]*Permission is hereby granted, free of charge, [^]*THE SOFTWARE IS PROVIDED "AS IS"/

/**
 * Returns the license of a component. A component that names none has the MIT license if its text is that of MIT.
 *
 * @param {{ name: string, version: string, license: unknown, text: string }} component
 * @returns {Licence}
 * @throws {Error} if the license is unknown or not allowed
 */
const checkedLicence = ({ name, version, license, text }) => {
  // svelte-toolbelt has no license field in package.json (https://github.com/huntabyte/svelte-toolbelt/blob/main/LICENSE).
  const licence = license || (isMit.test(text) ? 'MIT' : null)
  if (typeof licence === 'string' && allowed.includes(licence)) return { name, version, licence, text }
  throw new Error(`${name} ${version} has the license ${JSON.stringify(licence)}, which isn't among those allowed`)
}

/**
 * Returns the license of an installed package. Its `text` is empty if the package has no license file.
 *
 * @param {string} folder of one package
 * @throws {Error} if the license is unknown or not allowed
 */
export const licenceOf = (folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const named = readdirSync(folder).find((file) => /^(licen[cs]e|copying)(\.|$|-)/i.test(file))
  return checkedLicence({ name, version, license, text: named ? readFileSync(join(folder, named), 'utf8').trim() : '' })
}

/**
 * Returns the licenses from Vite's report about a bundle (`build.license`).
 *
 * @param {string} json
 */
export const bundledLicences = (json) =>
  /** @type {{ name: string, version: string, identifier: string | null, text: string | null }[]} */ (
    JSON.parse(json)
  ).map(({ name, version, identifier, text }) =>
    checkedLicence({ name, version, license: identifier, text: text ?? '' }),
  )

/**
 * Returns one text with all licenses, sorted by package. A package that occurs twice in the same version is listed once.
 *
 * @param {readonly Licence[]} licences
 */
export const inOneText = (licences) =>
  [...new Map(licences.map((licence) => [`${licence.name}@${licence.version}`, licence])).values()]
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
    .map(({ name, version, licence, text }) => `${name} ${version} (${licence})\n\n${text || 'No text came with it.'}`)
    .join(`\n\n${'-'.repeat(80)}\n\n`)
