import type { ListName } from '../../../shared/fields.ts'
import { checkAddresses } from './addresses.ts'
import type { Finding } from './lines.ts'
import { checkParameters } from './parameters.ts'

/** What is worth a word about one of the two lists, as it stands in its field: one entry a line. */
export const checkList: Record<ListName, (list: string) => Finding[]> = {
  exclude_ips: checkAddresses,
  exclude_params: checkParameters,
}
