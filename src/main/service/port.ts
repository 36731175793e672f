import type { Account } from '../../shared/account.ts'
import type { ListQuery, WebsiteChanges, WebsiteDraft, WebsiteRecord } from '../../shared/website.ts'
import type { Outcome } from './outcome.ts'

/** One page of "List websites". */
export interface ServicePage {
  websites: WebsiteRecord[]
  /** The argument of {@link Service.listNext} for the next page; null after the last one. */
  next: string | null
  /** Number of websites in the account, if the service says it. */
  total?: number
}

/**
 * The six operations of docs/interface.md#requests; two methods read the list. Each sends one request, never retries, and never throws because of the
 * network or the host.
 */
export interface Service {
  /** Requests the first page. Only the given fields of the query are sent. */
  list(query: Partial<ListQuery>): Promise<Outcome<ServicePage>>
  /** Requests the page that an earlier page has named as `next`. */
  listNext(next: string): Promise<Outcome<ServicePage>>
  get(id: string): Promise<Outcome<WebsiteRecord>>
  /** The value is null if the host accepted the create with an empty body; then read the record back. */
  create(draft: WebsiteDraft): Promise<Outcome<WebsiteRecord | null>>
  /** Sends only the given fields. The value is null for an empty body, as with a create. */
  update(id: string, changes: WebsiteChanges): Promise<Outcome<WebsiteRecord | null>>
  delete(id: string): Promise<Outcome<null>>
  account(): Promise<Outcome<Account>>
}

/** Returns a service each of whose operations goes through `around`, for example to wait for the rate budget. */
export function wrapService(
  service: Service,
  around: <T>(ask: () => Promise<Outcome<T>>) => Promise<Outcome<T>>,
): Service {
  return {
    list: (query) => around(() => service.list(query)),
    listNext: (next) => around(() => service.listNext(next)),
    get: (id) => around(() => service.get(id)),
    create: (draft) => around(() => service.create(draft)),
    update: (id, changes) => around(() => service.update(id, changes)),
    delete: (id) => around(() => service.delete(id)),
    account: () => around(() => service.account()),
  }
}
