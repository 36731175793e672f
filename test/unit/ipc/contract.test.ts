import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { Handlers } from '../../../src/main/ipc/handlers.ts'
import { commands, events, type CommandName, type SitewardBridge } from '../../../src/preload/bridge.ts'

describe('the contract', () => {
  test('has a handler for each command, and a command for each handler', () => {
    expectTypeOf<keyof Handlers>().toEqualTypeOf<CommandName>()
    expectTypeOf<Exclude<keyof SitewardBridge, 'on'>>().toEqualTypeOf<CommandName>()
    const missingOne = {} as Omit<Handlers, 'connect'>
    // @ts-expect-error a handler is missing
    missingOne satisfies Handlers
  })

  test('accepts secrets only in commands where a user types one', () => {
    const inward = Object.entries(commands).filter(([, { request }]) =>
      /apiKey|passphrase|"password":/.test(shape(request)),
    )
    expect(inward.map(([name]) => name).sort()).toEqual([
      'bulkCreate',
      'bulkUpdate',
      'connect',
      'copyWebsites',
      'correctWebsite',
      'createWebsite',
      'enterPassphrase',
      'replaceKey',
      'resolveEdit',
      'revertEdit',
      'setProxyLogin',
      'updateWebsite',
    ])
  })

  test('has no field for a secret in answers and events: "password" is always a boolean', () => {
    const outward = [...Object.values(commands).map(({ answer }) => answer), ...Object.values(events)]
    for (const schema of outward) {
      const text = shape(schema)
      expect(text).not.toMatch(/apiKey|"passphrase":/)
      for (const [, schema] of text.matchAll(/"password":(\{[^}]*\})/g)) expect(schema).toBe('{"type":"boolean"}')
    }
  })
})

/** Returns the JSON schema of the accepted values as a text. */
const shape = (schema: z.ZodType): string =>
  JSON.stringify(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }))
