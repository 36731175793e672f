import { ok, type ErrorCode, type Result } from '../../shared/result.ts'
import { normaliseDomain } from '../../shared/domain.ts'
import type { Secret } from '../secrets/secret.ts'
import { accountReader, deletedReader, pageReader, websiteReader, writtenReader, type Reader } from './answers.ts'
import type { ServiceDispatcher } from './dispatcher.ts'
import { answerMeta, refusal } from './refusal.ts'
import type { SendRequest } from './exchange.ts'
import { readContent, redactor } from './content.ts'
import { answered, inDoubt, notApplied, unanswered, type Failure, type Outcome } from './outcome.ts'
import type { Service } from './port.ts'
import * as requests from './requests.ts'
import { createHttpExchange, defaultLimits, type ExchangeLimits } from './send.ts'

export interface ServiceOptions {
  /** Normalised base URL, without `/api/v1`. */
  address: string
  /** Asked before each request; null: there is none just now, and nothing is sent (`key-missing`). */
  key: () => Secret | null
  /** Shared by many clients; its maker destroys it. */
  dispatcher: ServiceDispatcher
  limits?: Partial<ExchangeLimits>
}

/** A client over the network. */
export interface ServiceClient extends Service {
  /**
   * Whether the service answers at the address, asked without a key: it refuses what has none. `date`: its own clock, in
   * milliseconds since 1970; null: it doesn't tell. Errors: how it couldn't be reached; `redirected`, `not-the-service`,
   * `not-found`, `unavailable` where something else answers, or nothing useful.
   */
  greet(): Promise<Result<{ date: number | null }>>
  /**
   * Lets no further request leave: one that is still connecting ends at once, unsent (`no-connection`). One that was
   * sent goes on to its answer.
   */
  close(): void
}

/**
 * The six operations of docs/interface.md#requests. Each sends one request and answers with one of the three outcomes of
 * docs/sync.md#request-outcomes; nothing retries, follows a redirect, or throws for what a network or a host does.
 */
export function createService({ address, key, dispatcher, limits }: ServiceOptions): ServiceClient {
  const { send, close } = createHttpExchange(address, dispatcher, { ...defaultLimits, ...limits })
  return { ...createServiceOver(send, key), greet: () => greetOver(send), close }
}

/** What the service says to somebody without a key, or to anybody just now. */
const ITS_OWN: readonly ErrorCode[] = ['unauthenticated', 'forbidden', 'rate-limited']

async function greetOver(exchange: SendRequest): Promise<Result<{ date: number | null }>> {
  // The list is there on hosts that show no account too.
  const exchanged = await exchange(requests.listRequest({ per_page: 10 }), null)
  if (exchanged.state !== 'answered') return failed(unanswered(exchanged))
  const { answer } = exchanged
  const { status } = answer
  if (status >= 200 && status <= 299) return failed(inDoubt('not-the-service', status, {}))
  const meta = answerMeta(answer.headers)
  const refused = refusal(answer, meta, redactor([]))
  return ITS_OWN.includes(refused.error.code) ? ok({ date: meta.date ?? null }) : failed(refused)
}

const failed = ({ error }: Failure): Result<never> => ({ ok: false, error })

/** The same over any way to send a request; the models of the tests send theirs to a service that has no network. */
export function createServiceOver(exchange: SendRequest, key: ServiceOptions['key']): Service {
  async function ask<T>(request: requests.ServiceRequest, read: Reader<T>, password = ''): Promise<Outcome<T>> {
    const used = key()
    if (used === null) return notApplied('key-missing')
    const exchanged = await exchange(request, used)
    if (exchanged.state !== 'answered') return unanswered(exchanged)

    const { status, headers, body } = exchanged.answer
    const meta = answerMeta(headers)
    const withoutKey = redactor([used.reveal()])
    const withoutSecrets = redactor([used.reveal(), password])
    if (status < 200 || status > 299) return refusal(exchanged.answer, meta, withoutSecrets)
    if (!body.whole) return inDoubt(body.code, status, meta)
    const value = read(readContent(body.text, withoutKey), withoutSecrets)
    return answered(value, status, meta)
  }

  const askPage = (request: ReturnType<typeof requests.listRequest>) => ask(request, pageReader(request.query))

  return {
    list: (query) => askPage(requests.listRequest(query)),
    listNext: (next) => askPage(requests.nextRequest(next)),
    get: (id) =>
      ask(
        requests.getRequest(id),
        websiteReader((website) => website.id === id),
      ),
    create: (draft) =>
      ask(
        requests.createRequest(draft),
        writtenReader((website) => sameDomain(website.domain, draft.domain)),
        draft.password,
      ),
    update: (id, changes) =>
      ask(
        requests.updateRequest(id, changes),
        writtenReader((website) => website.id === id),
        changes.password,
      ),
    delete: (id) => ask(requests.deleteRequest(id), deletedReader(id)),
    account: () => ask(requests.accountRequest(), accountReader),
  }
}

/** The service normalises what it stores; a host that doesn't is taken at its word. */
const sameDomain = (theirs: string, ours: string): boolean =>
  theirs === ours || (normaliseDomain(theirs) ?? theirs) === normaliseDomain(ours)
