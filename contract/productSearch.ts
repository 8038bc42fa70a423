/**
 * A text as products are searched: letter case, full width, accents, spaces and the marks between letters do not count,
 * so that `btcusdt` finds `BTC/USDT`.
 */
export const normalizeSearchText = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\s/\-_.·\p{M}]/gu, '')

/** Everything a product is found by on every device: its id, its code and its names in all languages; normalized. */
export const searchTextsOf = (product: {
  id: string
  code: string
  names: Readonly<Record<string, string>>
}): string[] => [product.id, product.code, ...Object.values(product.names)].map(normalizeSearchText)
