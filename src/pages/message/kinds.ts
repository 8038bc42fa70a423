import { messageCategories } from '../../../contract/content.ts'
import type { MessageCategory } from '../../../contract/content.ts'

/** The kind of messages in the address; undefined for all. */
export const kindOf = (query: URLSearchParams): MessageCategory | undefined =>
  messageCategories.find((category) => category === query.get('kind'))
