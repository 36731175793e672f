import { ok, type ErrorCode, type Result } from '../../shared/result.ts'
import { comparableDomain } from '../../shared/domain.ts'
import type { Secret } from '../secrets/secret.ts'
import { accountReader, deletedReader, pageReader, websiteReader, writtenReader, type Reader } from './answers.ts'
import type { ServiceDispatcher } from './dispatcher.ts'
import { answerMeta, readRefusal } from './refusal.ts'
import type { SendRequest } from './exchange.ts'
import { readContent, redactor } from './content.ts'
import { outcomeOfAnswer, inDoubt, notApplied, type Failure, type Outcome } from './outcome.ts'
import type { Service } from './port.ts'
import * as requests from './requests.ts'
import { createHttpSender, defaultLimits, type ExchangeLimits } from './send.ts'
import type { LoadTlsIdentity } from './tls-identity.ts'

export interface ServiceOptions {
  /** Normalized base URL without `/api/v1`. */
  address: string
  /** Called before each request. If it returns null, nothing is sent (`key-missing`). */
  key: () => Secret | null
  /** Shared by all clients, so a client does not destroy it. */
  dispatcher: ServiceDispatcher
  /** The TLS settings of the connection. Called before each request. Default: none. */
  identity?: LoadTlsIdentity
  limits?: Partial<ExchangeLimits>
}

/** The client of the service at one address. */
export interface ServiceClient extends Service {
  /**
   * Checks the address by one request without a key, which the service refuses. `date`: the service's clock in milliseconds since
   * 1970, or null. Errors: the connection errors; `redirected`, `not-the-service`, `not-found` or `unavailable` if something else
   * responds.
   */
  ping(): Promise<Result<{ date: number | null }>>
  /** Sends no further request. A request that is still connecting ends with `no-connection`; a sent one continues. */
  close(): void
}

/** Sends one HTTP request for each operation, and never retries or follows a redirect. */
export function createService({ address, key, dispatcher, identity, limits }: ServiceOptions): ServiceClient {
  const { send, close } = createHttpSender(address, dispatcher, { ...defaultLimits, ...limits }, identity)
  return { ...createServiceOver(send, key), ping: () => pingOver(send), close }
}

/** Errors with which only the service itself responds to a request without a key. */
const KEYLESS_REFUSAL_CODES: readonly ErrorCode[] = ['unauthenticated', 'forbidden', 'rate-limited']

async function pingOver(send: SendRequest): Promise<Result<{ date: number | null }>> {
  // Every host has the list of websites. Not every host has the account.
  const answer = await send(requests.buildListRequest({ per_page: 10 }), null)
  if ('outcome' in answer) return toFailedResult(answer)
  const { status } = answer
  if (status >= 200 && status <= 299) return toFailedResult(inDoubt('not-the-service', status))
  const meta = answerMeta(answer.headers)
  const refused = readRefusal(answer, meta, redactor([]))
  return KEYLESS_REFUSAL_CODES.includes(refused.error.code) ? ok({ date: meta.date ?? null }) : toFailedResult(refused)
}

const toFailedResult = ({ error }: Failure): Result<never> => ({ ok: false, error })

/** `send`: any way to send a request, such as the simulated network of the tests. */
export function createServiceOver(send: SendRequest, key: ServiceOptions['key']): Service {
  /** Removes the key and `password` from error texts and unknown fields. */
  async function ask<T>(request: requests.ServiceRequest, read: Reader<T>, password = ''): Promise<Outcome<T>> {
    const apiKey = key()
    if (apiKey === null) return notApplied('key-missing')
    const answer = await send(request, apiKey)
    if ('outcome' in answer) return answer

    const { status, headers, body } = answer
    const meta = answerMeta(headers)
    const withoutKey = redactor([apiKey.reveal()])
    const withoutSecrets = redactor([apiKey.reveal(), password])
    if (status < 200 || status > 299) return readRefusal(answer, meta, withoutSecrets)
    if (!body.whole) return inDoubt(body.code, status, meta)
    try {
      const value = read(readContent(body.text, withoutKey), withoutSecrets)
      return outcomeOfAnswer(value, status, meta)
    } catch {
      // A body that a reader can't handle is not from the service. The error must not end the app.
      return inDoubt('not-the-service', status, meta)
    }
  }

  const askPage = (request: ReturnType<typeof requests.buildListRequest>) => ask(request, pageReader(request.query))

  return {
    list: (query) => askPage(requests.buildListRequest(query)),
    listNext: (next) => askPage(requests.buildNextPageRequest(next)),
    get: (id) =>
      ask(
        requests.buildGetRequest(id),
        websiteReader((website) => website.id === id),
      ),
    create: (draft) =>
      ask(
        requests.buildCreateRequest(draft),
        writtenReader((website) => sameDomain(website.domain, draft.domain)),
        draft.password,
      ),
    update: (id, changes) =>
      ask(
        requests.buildUpdateRequest(id, changes),
        writtenReader((website) => website.id === id),
        changes.password,
      ),
    delete: (id) => ask(requests.buildDeleteRequest(id), deletedReader(id)),
    account: () => ask(requests.buildAccountRequest(), accountReader),
  }
}

/** Some hosts store a domain as it was sent, others normalize it first. */
const sameDomain = (stored: string, sent: string): boolean =>
  stored === sent || comparableDomain(stored) === comparableDomain(sent)
