import { createServer } from 'node:http'
import { createSampleListener } from '../../../../src/main/sample/listener.ts'
import { passwordMatches } from '../../../../src/main/sample/password.ts'
import { createSampleStore } from '../../../../src/main/sample/store.ts'
import { withFaults } from '../faults.ts'
import { KEY, type Listen, type TestHost } from './test-host.ts'

export async function startSampleHost(websites: number, listen: Listen): Promise<TestHost> {
  const store = createSampleStore({ websites })
  const service = createSampleListener(store, { key: KEY, rate: 0, websiteLimit: websites + 3 })
  const { listener, next } = withFaults(service)
  return {
    name: 'sample',
    address: `http://127.0.0.1:${String(await listen(createServer(listener)))}`,
    key: KEY,
    next,
    all: () =>
      store.all().map(({ id, domain, privacy, password, email, exclude_bots, exclude_ips, exclude_params }) => ({
        id: String(id),
        domain,
        privacy,
        // The sample service stores only a hash. The password of these tests is recognized by comparison.
        password: passwordMatches('correct horse', password) ? 'correct horse' : (password ?? ''),
        email: email === 1,
        exclude_bots: exclude_bots === 1,
        exclude_ips: exclude_ips ?? '',
        exclude_params: exclude_params ?? '',
      })),
    add: (domain) => void store.create({ domain }),
    remove: (id) => void store.delete(Number(id)),
    refusal: (status, message) => ({ status, body: JSON.stringify({ message, status }) }),
  }
}
