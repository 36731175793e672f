import type { ListName } from '../../../shared/fields.ts'
import { checkAddresses } from './addresses.ts'
import type { Finding } from './lines.ts'
import { checkParameters } from './parameters.ts'

/** Checks one of the two lists, given as the text of its field with one entry per line. */
export const checkList: Record<ListName, (list: string) => Finding[]> = {
  exclude_ips: checkAddresses,
  exclude_params: checkParameters,
}
