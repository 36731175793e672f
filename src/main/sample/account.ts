/** The account that all sample websites belong to. `websites` is the limit of its plan; -1 means unlimited. */
export const sampleAccount = (websites: number) => ({
  id: 1,
  object: 'account',
  name: 'Northwind Agency',
  email: 'hello@northwind.example',
  avatar_url: null,
  locale: 'en',
  timezone: 'Europe/Oslo',
  plan: {
    id: 2,
    name: 'Agency',
    features: { websites, pageviews: 1_000_000, api: 1, email_reports: 1, data_export: 1 },
  },
  created_at: '2018-10-02T08:00:00.000Z',
})
