import { createServer } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createSampleListener } from '../../../src/main/sample/listener.ts'
import { createSampleStore } from '../../../src/main/sample/store.ts'
import { withFaults } from './faults.ts'
import { client, HTML, KEY, listening } from './host.ts'

async function faultyService(limits: { request?: number } = {}) {
  const store = createSampleStore({ websites: 10 })
  onTestFinished(() => store.close())
  const { listener, next } = withFaults(createSampleListener(store, { key: KEY, rate: 0 }))
  const address = `http://127.0.0.1:${String(await listening(createServer(listener)))}`
  return { store, next, service: client({ address, limits }) }
}

describe('the client and the sample service, when something goes wrong between them', () => {
  test('a whole life: create, read, change, delete', async () => {
    const { service, store } = await faultyService()
    const created = await service.create({
      domain: 'https://www.New.example',
      privacy: 2,
      password: 'hush',
      email: true,
      exclude_bots: false,
      exclude_ips: ['203.0.113.7', '2001:db8::/48'],
      exclude_params: ['&'],
    })
    const website = {
      id: '11',
      domain: 'new.example',
      privacy: 2,
      password: true,
      email: true,
      exclude_bots: false,
      exclude_ips: ['203.0.113.7', '2001:db8::/48'],
    }
    expect(created).toMatchObject({ outcome: 'applied', value: website })
    expect(store.get(11)?.exclude_params).toBe('&')
    expect(await service.get('11')).toMatchObject({ outcome: 'applied', value: website })
    const changed = await service.update('11', { exclude_ips: [] })
    expect(changed).toMatchObject({ outcome: 'applied', value: { ...website, exclude_ips: [] } })
    expect(await service.delete('11')).toMatchObject({ outcome: 'applied' })
    expect(await service.get('11')).toMatchObject({ outcome: 'notApplied', error: { code: 'not-found' } })
    expect(await service.account()).toMatchObject({ outcome: 'applied', value: { name: 'Northwind Agency' } })
  })

  test('refusals carry the words of the service, at the field', async () => {
    const { service } = await faultyService()
    const lists = { exclude_ips: [], exclude_params: [] }
    const taken = await service.create({
      domain: 'taken.example',
      privacy: 1,
      email: false,
      exclude_bots: true,
      ...lists,
    })
    const fields = { domain: ['The domain has already been taken.'] }
    expect(taken).toMatchObject({ outcome: 'notApplied', error: { code: 'invalid', fields } })
  })

  test.each([
    ['lost on the way there', { kind: 'drop-before' }, 'interrupted', false],
    ['answer lost', { kind: 'drop-after' }, 'interrupted', true],
    ['never answered', { kind: 'hang' }, 'timeout', false],
    ['a page of a hotel', { kind: 'answer', status: 200, body: HTML }, 'not-the-service', false],
    ['moved away', { kind: 'answer', status: 302, headers: { Location: '/login' } }, 'redirected', false],
    ['maintenance', { kind: 'answer', status: 503, body: HTML }, 'unavailable', false],
  ] as const)('%s: in doubt, whether it was done or not', async (_name, fault, code, done) => {
    const { service, store, next } = await faultyService(code === 'timeout' ? { request: 300 } : {})
    next(fault)
    expect(await service.delete('7')).toMatchObject({ outcome: 'inDoubt', error: { code } })
    expect(store.get(7) === undefined).toBe(done)
  })

  test('late, but in time', async () => {
    const { service, next } = await faultyService()
    next({ kind: 'delay', milliseconds: 50 })
    expect(await service.delete('7')).toMatchObject({ outcome: 'applied' })
  })
})
