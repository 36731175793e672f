/** The default template for the address of a website's statistics. */
export const STATISTICS_TEMPLATE = '{service}/{domain}'

/** Maximum length of the template of a statistics address. */
export const MAX_TEMPLATE = 2048

/** The values of the placeholders in a template. */
export interface StatisticsTemplateValues {
  service: string
  domain: string
  id: string
}

/** Returns the address of a website's statistics, or null if it isn't an https address. */
export function statisticsAddress(template: string, place: StatisticsTemplateValues): string | null {
  const filled = template
    .trim()
    .replace(/\{(service|domain|id)\}/g, (_, name: keyof StatisticsTemplateValues) => place[name])
  return URL.canParse(filled) && new URL(filled).protocol === 'https:' ? filled : null
}

/** True if a template leads to an https address that is different for each website. */
export const isStatisticsTemplate = (template: string, service: string): boolean =>
  /\{(domain|id)\}/.test(template) && statisticsAddress(template, { service, domain: 'example.com', id: '1' }) !== null
