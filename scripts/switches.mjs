// @ts-check
import { parseArgs } from 'node:util'

/**
 * Reads the switches of a tool. Ends the process with exit code 2 and an explanation if one is wrong, and with 0 for `--help`.
 *
 * @template {NonNullable<import('node:util').ParseArgsConfig['options']>} O
 * @param {string} usage
 * @param {O} options
 * @param {Partial<Record<keyof O, number>>} numbers the maximum of each switch that takes a number
 */
export const readSwitches = (usage, options, numbers = {}) => {
  try {
    if (process.argv.includes('--help')) {
      console.log(usage)
      process.exit(0)
    }
    const { values } = parseArgs({ options })
    for (const [name, max] of /** @type {[string, number][]} */ (Object.entries(numbers))) {
      const text = /** @type {Record<string, unknown>} */ (values)[name]
      if (text !== undefined && !(/^\d{1,10}$/.test(String(text)) && Number(text) <= max))
        throw new Error(`--${name} takes a whole number from 0 to ${max}, not "${text}".`)
    }
    return values
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`)
    process.exit(2)
  }
}
