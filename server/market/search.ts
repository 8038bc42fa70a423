import type { ProductSettings } from '../ports.ts'

/** Width, case and the marks between letters do not count: `btcusdt` finds `BTC/USDT`. */
const normalize = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s/.·_-]/g, '')

/** Whether a product answers to `query`: by id, code, its name in any language, or a further word (pinyin). */
export function matchesQuery(
  query: string,
  settings: ProductSettings,
  searchTerms: readonly string[],
): boolean {
  const normalizedQuery = normalize(query)
  const texts = [settings.id, settings.code, ...Object.values(settings.names), ...searchTerms]
  return texts.some((text) => normalize(text).includes(normalizedQuery))
}
