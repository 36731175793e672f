import fc from 'fast-check'
import { z } from 'zod'

interface Shape {
  /** The contract has only one reference, which means any JSON. */
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Shape[]
  oneOf?: Shape[]
  properties?: Record<string, Shape>
  required?: string[]
  propertyNames?: Shape
  additionalProperties?: Shape | boolean
  items?: Shape
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
}

/**
 * Generates values that fit a schema. The values are derived from the schema, so a new command is fuzzed without more code.
 * `texts`: tried for any text. The keys of existing websites get further than invented keys.
 * `secrets`: tried only for secrets. If one appears in an answer, it has leaked.
 */
export function fitting(
  schema: z.ZodType,
  texts: readonly string[] = [],
  secrets: readonly string[] = [],
): fc.Arbitrary<unknown> {
  return ofShape(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape, { texts, secrets })
}

interface Tried {
  texts: readonly string[]
  secrets: readonly string[]
}

const SECRET_FIELDS = ['apiKey', 'password']

function ofShape(shape: Shape, tried: Tried): fc.Arbitrary<unknown> {
  if (shape.$ref !== undefined) return fc.jsonValue()
  if ('const' in shape) return fc.constant(shape.const)
  if (shape.enum !== undefined) return fc.constantFrom(...shape.enum)
  const ways = shape.anyOf ?? shape.oneOf
  if (ways !== undefined) return fc.oneof(...ways.map((way) => ofShape(way, tried)))
  const { type } = shape
  if (Array.isArray(type)) return fc.oneof(...type.map((each) => ofShape({ ...shape, type: each }, tried)))
  switch (type) {
    case 'object':
      return ofObject(shape, tried)
    case 'array':
      return fc.array(ofShape(shape.items ?? {}, tried), { maxLength: 5 })
    case 'string':
      return ofText(shape, tried.texts)
    case 'integer':
    case 'number':
      return ofNumber(shape)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case undefined:
      return fc.constant(undefined) // a command without a request
    default:
      throw new Error(`a schema of type ${type}: fitting.ts has to learn it`)
  }
}

function ofObject(
  { properties, required = [], propertyNames, additionalProperties }: Shape,
  tried: Tried,
): fc.Arbitrary<unknown> {
  if (properties === undefined) {
    const inner = typeof additionalProperties === 'object' ? additionalProperties : {}
    return fc.dictionary(
      ofShape(propertyNames ?? { type: 'string' }, tried) as fc.Arbitrary<string>,
      ofShape(inner, tried),
      {
        maxKeys: 5,
      },
    )
  }
  const fields = Object.entries(properties).map(([name, inner]) => {
    const { secrets } = tried
    return [name, ofShape(inner, SECRET_FIELDS.includes(name) ? { texts: secrets, secrets } : tried)] as const
  })
  return fc.record(Object.fromEntries(fields), { requiredKeys: required })
}

const ofNumber = ({ type, minimum = -1000, maximum = 1000 }: Shape): fc.Arbitrary<number> =>
  type === 'integer' ? fc.integer({ min: minimum, max: maximum }) : fc.double({ min: minimum, max: maximum })

function ofText({ pattern, minLength = 0, maxLength = 200 }: Shape, texts: readonly string[]): fc.Arbitrary<string> {
  const lengths = { minLength, maxLength: Math.min(maxLength, 200) }
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern)).filter((text) => text.length <= maxLength)
  const made = [fc.string(lengths), fc.string({ ...lengths, unit: 'binary' })]
  return fc.oneof(...made, ...(texts.length > 0 ? [fc.constantFrom(...texts)] : []))
}
