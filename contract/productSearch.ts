/**
 * Normalises a text for product search: letter case, full width, accents, spaces and punctuation are ignored, so that
 * `btcusdt` finds `BTC/USDT`.
 */
export const normalizeSearchText = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\s/\-_.·\p{M}]/gu, '')

/** The normalised texts by which a product is found: its id, its code and its names in all languages. */
export const searchTextsOf = (product: {
  id: string
  code: string
  names: Readonly<Record<string, string>>
}): string[] => [product.id, product.code, ...Object.values(product.names)].map(normalizeSearchText)
