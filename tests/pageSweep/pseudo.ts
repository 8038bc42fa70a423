import type { BrowserContext } from '@playwright/test'
import en from '../../locales/en.json' with { type: 'json' }

const accents: Record<string, string> = {
  a: 'á',
  c: 'ç',
  e: 'ê',
  i: 'ï',
  n: 'ñ',
  o: 'ö',
  s: 'š',
  u: 'ü',
  y: 'ÿ',
}

/** English with accents and a third more letters, as in languages with long words; digits and punctuation stay. */
export function pseudo(text: string): string {
  const parts = text.split(/(\{\{[^}]*\}\}|<[^>]*>|\$t\([^)]*\))/)
  return parts.map((part, i) => (i % 2 === 1 ? part : part.replaceAll(/[A-Za-z]+/g, lengthened))).join('')
}

const lengthened = (word: string): string => {
  const accented = word.replaceAll(/[a-z]/g, (letter) => accents[letter] ?? letter)
  return word.length < 3 ? accented : accented + accented.slice(-Math.ceil(word.length / 3)).toLowerCase()
}

const pseudoPack = (value: unknown): unknown =>
  typeof value === 'string'
    ? pseudo(value)
    : Object.fromEntries(Object.entries(value as object).map(([key, part]) => [key, pseudoPack(part)]))

/** Serves the pseudo-language when the app requests its English pack. */
export async function speakPseudo(context: BrowserContext): Promise<void> {
  const body = `export default ${JSON.stringify(pseudoPack(en))}`
  await context.route(/\/assets\/en-[^/]+\.js$/, (route) =>
    route.fulfill({ body, contentType: 'text/javascript' }),
  )
}
