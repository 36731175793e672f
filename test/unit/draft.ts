import type { WebsiteDraft } from '../../src/shared/website.ts'

/** A website to be added, as usual but for what is `more`. */
export const draft = (domain: string, more: Partial<WebsiteDraft> = {}): WebsiteDraft => ({
  domain,
  privacy: 1,
  email: false,
  exclude_bots: true,
  exclude_ips: [],
  exclude_params: [],
  ...more,
})
