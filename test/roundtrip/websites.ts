import type { Privacy, WebsiteView } from '../../src/shared/website.ts'

/** The website whose cells are changed in the spreadsheet. */
export const EDITED_DOMAIN = 'edit-me.example'

/** Values that a spreadsheet may change, or that have a meaning in CSV. None has a tab, because LibreOffice drops tabs. */
const hard = [
  ...[
    '007',
    '0',
    '17',
    '1234567890',
    '12345678901234567890',
    '1e5',
    '-5',
    '+5',
    '1.5',
    '1,5',
    '1.000',
    '50%',
    '$5',
    '5 €',
  ],
  ...[
    '2026-01-02',
    '2026-01-02T03:04:05Z',
    '1/2',
    '1.2.2026',
    '01.02.',
    '5.mar',
    'jan-5',
    'mar 5',
    '12:30',
    '5 pm',
    '24:00',
  ],
  ...['=1+1', '=HYPERLINK("http://a.example";"x")', '@SUM(1)', '-a', '+b', "'a", "''b", '#N/A', '＝1', '１２', '½'],
  ...['TRUE', 'false', 'wahr', 'FALSCH', 'VRAI', 'verdadero', '(none)', 'NULL', 'inf', 'nan'],
  ...[
    '"quoted"',
    'a"b',
    '"',
    'a,b',
    'a;b',
    'a b',
    'a|b',
    '{1}',
    '\\',
    'Müller',
    'ÄÖÜß',
    '日本語',
    '😀',
    '👩‍💻',
    'e\u0301',
  ],
  ...['utm_source', 'ref', 'gclid', 'p1', 'mar2', '192.168.100.200', '10.0.0.1', '10.0.0.0/8', '::1', '2001:db8::/48'],
]
const domains = [
  'xn--bcher-kva.example',
  'münchen.example',
  'xn--e1afmkfd.xn--p1ai',
  '1.2',
  '5.mar',
  '163.com',
  '=odd.example',
  '007',
  'localhost',
  '192.168.100.200',
]

const pick = <T>(from: readonly T[], n: number): T => from[n % from.length] as T
const lines = (n: number, count: number): string[] => Array.from({ length: count }, (_, at) => pick(hard, n * 7 + at))

/** Uses each hard value as a note, alone or as the first of two lines. */
const note = (n: number): string => (n % 2 === 0 ? pick(hard, n / 2) : `${pick(hard, n)}\n${pick(hard, n + 1)}`)
const tagNames = ['client-a', 'Büro München', '=renewal', '007', '2026-01-02', 'TRUE', '😀']

/** Lengths of the lists. In a list of one line, the line is a hard value. */
const counts = [0, 1, 1, 3, 50]

const website = (n: number): WebsiteView => ({
  ...{
    key: `w${n}`,
    state: 'synced',
    pending: [],
    extra: {},
    created_at: '2026-01-02T03:04:05Z',
    updated_at: '2026-02-03',
  },
  id: n % 3 === 0 ? String(n).padStart(6, '0') : n % 3 === 1 ? String(n) : `${String(n)}e5`,
  domain: n % 10 === 0 && n / 10 < domains.length ? pick(domains, n / 10) : `site-${String(n)}.example`,
  privacy: pick<Privacy>([0, 1, 2], n),
  password: n % 3 === 2,
  email: n % 2 === 0,
  exclude_bots: n % 5 !== 0,
  ...(n % 11 !== 0 && { exclude_ips: lines(n, pick(counts, n)) }),
  ...(n % 13 !== 0 && { exclude_params: lines(n + 3, pick(counts, n + 1)) }),
  ...(n % 3 !== 0 && { tags: [...new Set([pick(tagNames, n), pick(tagNames, n * 5 + 1)])] }),
  ...(n % 4 !== 0 && { note: note(n) }),
})

export const websites: readonly WebsiteView[] = [
  ...Array.from({ length: 999 }, (_, n) => website(n)),
  {
    ...website(2000),
    ...{
      domain: EDITED_DOMAIN,
      privacy: 1,
      email: false,
      exclude_bots: true,
      exclude_ips: ['10.9.9.9'],
      exclude_params: ['edit'],
    },
  },
]
