import type { Account } from '../../shared/account.ts'
import type { ListQuery, WebsiteChanges, WebsiteDraft, WebsiteRecord } from '../../shared/website.ts'
import type { Outcome } from './outcome.ts'

/** One page of "List websites". */
export interface ServicePage {
  websites: WebsiteRecord[]
  /** Hand it back to {@link Service.listNext}; null: the service says that this is the last page. */
  next: string | null
  /** How many there are in all, where the service tells. */
  total?: number
}

/** The six operations of docs/interface.md#requests. Nothing in it retries, and nothing throws for what a network or a host does. */
export interface Service {
  /** The first page. Fields left out of the query aren't sent. */
  list(query: Partial<ListQuery>): Promise<Outcome<ServicePage>>
  /** The page that `next` of an earlier answer names; only its query is used, never its origin. */
  listNext(next: string): Promise<Outcome<ServicePage>>
  get(id: string): Promise<Outcome<WebsiteRecord>>
  /** A null value: accepted with an empty body; read the record back. */
  create(draft: WebsiteDraft): Promise<Outcome<WebsiteRecord | null>>
  /** Sends only the fields given. A null value: as with create. */
  update(id: string, changes: WebsiteChanges): Promise<Outcome<WebsiteRecord | null>>
  delete(id: string): Promise<Outcome<null>>
  account(): Promise<Outcome<Account>>
}

/** Puts the same thing around each of the six operations: a key, a budget, an ear. */
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
