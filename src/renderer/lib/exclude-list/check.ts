import type { ListName } from '../../../shared/fields.ts'
import { checkAddresses } from './addresses.ts'
import type { Finding } from './lines.ts'
import { checkParameters } from './parameters.ts'

/** Checks the text of a list field, with one entry per line. */
export const checkList: Record<ListName, (list: string) => Finding[]> = {
  exclude_ips: checkAddresses,
  exclude_params: checkParameters,
}
