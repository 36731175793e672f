import { describe, expect, test } from 'vitest'
import { limitFields } from '../../../src/main/service/extra.ts'
import { accountSchema } from '../../../src/shared/account.ts'
import { websiteRecordSchema } from '../../../src/shared/website.ts'
import { always, startHost } from './host.ts'

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)
const manyFields = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`field_${String(at)}`, 'x'.repeat(20)]))

/** Reads a website, and converts it to JSON and back with the schema, as storage and the bridge do. */
async function readThroughStorage(fields: string) {
  const { service } = await startHost(always(200, `{"data":[{"id":7,"domain":"a.example","privacy":2,${fields}}]}`))
  const answer = await service.list({})
  if (answer.outcome !== 'applied') throw new Error(answer.error.code)
  const text = JSON.stringify(answer.value.websites[0])
  const website = websiteRecordSchema.parse(JSON.parse(text))
  expect(website).toMatchObject({ id: '7', domain: 'a.example', privacy: 2 })
  return { extra: website.extra, size: text.length }
}

describe('a website with oversized unknown fields', () => {
  test('stays readable, with a value 2,000 levels deep cut at level 32 and marked', async () => {
    const { extra } = await readThroughStorage(`"odd":${nested(2000)},"favorite":true`)
    expect(JSON.stringify(extra['odd'])).toMatch(/^\[{32}"\[too deep to keep\]"\]{32}$/)
    expect(extra['favorite']).toBe(true)
  })

  test('keeps a value 32 levels deep unchanged', async () => {
    const { extra } = await readThroughStorage(`"odd":${nested(32)}`)
    expect(JSON.stringify(extra['odd'])).toBe(nested(32))
  })

  test('stays readable if a known field has a value 2,000 levels deep, which is cut and marked', async () => {
    const { extra } = await readThroughStorage(`"exclude_bots":${nested(2000)}`)
    expect(JSON.stringify(extra['exclude_bots'])).toContain('[too deep to keep]')
  })

  test('has a mark in place of a value of one megabyte', async () => {
    const { extra } = await readThroughStorage(`"odd":"${'x'.repeat(1024 * 1024)}","favorite":true`)
    expect(extra).toEqual({ odd: '[too large to keep]', favorite: true })
  })

  test('keeps the first of ten thousand fields, and has a mark for the others', async () => {
    const { extra, size } = await readThroughStorage(JSON.stringify(manyFields(10_000)).slice(1, -1))
    expect(extra).toMatchObject({ field_0: 'x'.repeat(20), '[more fields, too many to keep]': true })
    expect(size).toBeLessThan(70_000)
  })

  test('keeps the first of half a million fields, without going through all of those that have no room', () => {
    let texts = 0
    const counted = (text: string): string => {
      texts += 1
      return text
    }
    const limited = limitFields(Object.entries(manyFields(500_000)), counted)
    expect(limited).toMatchObject({ field_0: 'x'.repeat(20), '[more fields, too many to keep]': true })
    expect(texts).toBeLessThan(50_000)
  })

  test('has a mark in place of a field whose name has one megabyte', async () => {
    const { extra } = await readThroughStorage(`"${'n'.repeat(1024 * 1024)}":1,"favorite":true`)
    expect(extra).toEqual({ favorite: true, '[more fields, too many to keep]': true })
  })

  test('keeps numbers that JSON cannot hold as texts', async () => {
    expect((await readThroughStorage('"most":1e999,"least":-1e999')).extra).toEqual({ most: '1e999', least: '-1e999' })
  })
})

test('limits the unknown fields of an account, and still reads its limit of websites', async () => {
  const features = `{"odd":${nested(2000)},"large":"${'x'.repeat(100_000)}","websites":"25"}`
  const plan = `{"name":"Agency","odd":${nested(2000)},"features":${features}}`
  const { service } = await startHost(always(200, `{"id":1,"name":"Acme","odd":${nested(2000)},"plan":${plan}}`))
  const answer = await service.account()
  if (answer.outcome !== 'applied') throw new Error(answer.error.code)
  const text = JSON.stringify(answer.value)
  const account = accountSchema.parse(JSON.parse(text))
  expect(account).toMatchObject({ id: '1', name: 'Acme', plan: { name: 'Agency' } })
  expect(account.plan?.features).toMatchObject({ large: '[too large to keep]', websites: 25 })
  expect(text.length).toBeLessThan(2000)
})

test('keeps a plan that is not an object as an unknown field', async () => {
  const { service } = await startHost(always(200, `{"id":1,"plan":${nested(2000)}}`))
  const answer = await service.account()
  const extra = answer.outcome === 'applied' ? answer.value.extra : {}
  expect(JSON.stringify(extra['plan'])).toContain('[too deep to keep]')
})

test.each([
  ['id', { id: 'x'.repeat(1001), domain: 'a.example' }],
  ['domain', { id: 7, domain: 'x'.repeat(1001) }],
])('rejects a website whose %s is longer than 1,000 characters', async (_field, record) => {
  const { service } = await startHost(always(200, [record]))
  await expect(service.list({})).resolves.toMatchObject({ outcome: 'inDoubt', error: { code: 'not-the-service' } })
})

test('keeps an account name of one megabyte as an unknown field', async () => {
  const { service } = await startHost(always(200, { id: 1, name: 'x'.repeat(1024 * 1024) }))
  const answer = await service.account()
  expect(answer).toMatchObject({ outcome: 'applied', value: { id: '1', extra: { name: '[too large to keep]' } } })
  expect(answer.outcome === 'applied' && answer.value.name).toBeUndefined()
})
