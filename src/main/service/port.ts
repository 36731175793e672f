import type { Account } from '../../shared/account.ts'
import type { ListQuery, WebsiteChanges, WebsiteDraft, WebsiteRecord } from '../../shared/website.ts'
import type { Outcome } from './outcome.ts'

/** A page of the service's list. */
export interface ServicePage {
  websites: WebsiteRecord[]
  /** For {@link Service.listNext}. Null after the last page. */
  next: string | null
  /** Number of websites in the account, if the service returns it. */
  total?: number
}

/** The operations of docs/interface.md#requests. Each sends one request, never retries, and never throws for network errors. */
export interface Service {
  /** Requests the first page. Only the given fields are sent. */
  list(query: Partial<ListQuery>): Promise<Outcome<ServicePage>>
  /** `next`: from the page before. */
  listNext(next: string): Promise<Outcome<ServicePage>>
  get(id: string): Promise<Outcome<WebsiteRecord>>
  /** Creates a website. The value is null if the host accepted the create with an empty body. Then read the record back. */
  create(draft: WebsiteDraft): Promise<Outcome<WebsiteRecord | null>>
  /** Sends only the given fields. The value is null for an empty body, as with a create. */
  update(id: string, changes: WebsiteChanges): Promise<Outcome<WebsiteRecord | null>>
  delete(id: string): Promise<Outcome<null>>
  account(): Promise<Outcome<Account>>
}

/** Sends each operation through `around`, for example to wait for the rate budget. */
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
