import { normalizeSearchText, searchTextsOf } from '../../../contract/productSearch.ts'
import type { ProductSettings } from '../ports.ts'

/** Whether a product matches `query`: by id, code, its name in any language, or another search term (pinyin). */
export function matchesQuery(
  query: string,
  settings: ProductSettings,
  searchTerms: readonly string[],
): boolean {
  const normalizedQuery = normalizeSearchText(query)
  const texts = [...searchTextsOf(settings), ...searchTerms.map(normalizeSearchText)]
  return texts.some((text) => text.includes(normalizedQuery))
}
