const FIRST_WORDS =
  `harbour fjordline kestrel lumen moss north-star oakfield quiet riverbend saltmarsh amber birchwood copper dovetail
  elderflower foxglove granite hazel ironbridge juniper kingfisher lantern meadow nightjar orchard pebble quarry rowan
  sandpiper thistle umber valley willow yarrow zephyr alder beacon cedar driftwood ember fern goldcrest heron inkwell
  jackdaw kettle linden mallow nettle otter plover quill redwing skylark tidewater upland vesper wren yew bluebell`.split(
    /\s+/,
  )

const SECOND_WORDS =
  `bakery tickets press dental stone chess primary cycles yoga ferries architects books brewery cafe carpentry ceramics
  choir clinic coaching coffee cottages dance design electrics farm festival films fitness florist foods gallery
  gardens guitars hotel interiors kitchens labs law library market museum music nursery opticians outdoors pharmacy
  photos physio plumbing pottery property records sailing school studio theatre tours travel vets vineyard`.split(/\s+/)

const SUBDOMAINS =
  `shop archive blog tickets book news help members events jobs press docs status learn store app community wiki forum
  support media maps donate gifts careers portal staff alumni`.split(/\s+/)

/** Number of domains without a subdomain. */
const SITES = FIRST_WORDS.length * SECOND_WORDS.length
/** Coprime with the number of sites, so that each one occurs once and neighbors differ. */
const STRIDE = 1117

/** Yields about 104,000 domains that no one can register (`.example`), always in the same order. */
export function* sampleDomains(): Generator<string> {
  const site = (index: number): string => {
    const at = (index * STRIDE) % SITES
    return `${String(FIRST_WORDS[at % FIRST_WORDS.length])}-${String(SECOND_WORDS[Math.floor(at / FIRST_WORDS.length)])}.example`
  }
  /** Returns the index of the subdomain that is yielded right after the site. Only every third site has one. */
  const early = (index: number): number | undefined => (index % 3 === 1 ? index % SUBDOMAINS.length : undefined)

  for (let index = 0; index < SITES; index++) {
    yield site(index)
    const at = early(index)
    if (at !== undefined) yield `${String(SUBDOMAINS[at])}.${site(index)}`
  }
  for (const [at, subdomain] of SUBDOMAINS.entries()) {
    for (let index = 0; index < SITES; index++) {
      if (early(index) !== at) yield `${subdomain}.${site(index)}`
    }
  }
}

/** Domains of other accounts on the same service. A domain is unique across all accounts. */
export const TAKEN_DOMAINS: ReadonlySet<string> = new Set([
  'taken.example',
  'northwind.example',
  'stats.northwind.example',
])
