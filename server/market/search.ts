import type { ProductSettings } from '../ports.ts'

/** Width, case and the marks between letters do not count: `btcusdt` finds `BTC/USDT`. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s/.·_-]/g, '')

/** Whether a product answers to `query`: by id, code, its name in any language, or a further word (pinyin). */
export function finds(query: string, settings: ProductSettings, words: readonly string[]): boolean {
  const wanted = plain(query)
  const texts = [settings.id, settings.code, ...Object.values(settings.names), ...words]
  return texts.some((text) => plain(text).includes(wanted))
}
