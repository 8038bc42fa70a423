import type { ProductSettings } from '../ports.ts'

/** Ignores character width, case and separators: `btcusdt` matches `BTC/USDT`. */
const normalize = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s/.·_-]/g, '')

/** Whether a product matches `query`: by id, code, its name in any language, or a further search word (pinyin). */
export function matchesQuery(
  query: string,
  settings: ProductSettings,
  searchTerms: readonly string[],
): boolean {
  const normalizedQuery = normalize(query)
  const texts = [settings.id, settings.code, ...Object.values(settings.names), ...searchTerms]
  return texts.some((text) => normalize(text).includes(normalizedQuery))
}
