import type { WebsiteDraft } from '../../src/shared/website.ts'

/** Returns a website to add. Values that are not in `more` are the defaults. */
export const draft = (domain: string, more: Partial<WebsiteDraft> = {}): WebsiteDraft => ({
  domain,
  privacy: 1,
  email: false,
  exclude_bots: true,
  exclude_ips: [],
  exclude_params: [],
  ...more,
})
