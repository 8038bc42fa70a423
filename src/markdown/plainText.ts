import { assertNever } from '../../contract/brand.ts'
import { parseMarkdown } from './blocks.ts'
import type { Block } from './blocks.ts'
import type { Inline } from './inline.ts'

/** Chinese and Japanese stand without spaces, between sentences too. */
const unspaced =
  /(?<=[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]) (?=[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef])/g

/** The bare words of an article, one line. */
export const plainText = (source: string): string => oneLine(parseMarkdown(source).map(blockText))

const oneLine = (texts: readonly string[]): string =>
  texts.join(' ').replace(/\s+/g, ' ').replace(unspaced, '').trim()

/** Where a sentence ends; Thai has no sign for it, and only its paragraphs end. */
const sentence = /.*?(?:[.!?…]["”»)]*(?= |$)|[。！？][」”）]*)|.+$/g

/** The longest beginning, whatever its sentences. */
const excerptMax = 240

/** How an article begins, for a card that leads to it: whole sentences of its first paragraph, as many as `most` characters hold; the first one even where it is longer. */
export function excerpt(source: string, most = 120): string {
  const first = parseMarkdown(source).find(({ kind }) => kind === 'paragraph')
  const text = first ? oneLine([blockText(first)]) : plainText(source)
  let end = 0
  for (const { 0: one, index } of text.matchAll(sentence)) {
    if (end > 0 && index + one.length > most) break
    end = index + one.length
  }
  return truncate(text.slice(0, end).trim())
}

/** No longer than the longest, ended between two words; what stands without spaces has words too. */
function truncate(text: string): string {
  if (text.length <= excerptMax) return text
  const end = lastWordEnd(text)
  return `${text.slice(0, end > 0 ? end : excerptMax - 1).replace(/[\s\p{P}]+$/u, '')}…`
}

function lastWordEnd(text: string): number {
  // Browsers before 2024 may have none.
  const Segmenter: typeof Intl.Segmenter | undefined = Intl.Segmenter
  if (Segmenter === undefined) return text.lastIndexOf(' ', excerptMax - 1)
  let end = 0
  for (const { index } of new Segmenter(undefined, { granularity: 'word' }).segment(text)) {
    if (index >= excerptMax) break
    end = index
  }
  return end
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return inlinesText(block.children)
    case 'list':
      return block.items.flatMap((item) => item.map(blockText)).join(' ')
    case 'quote':
      return block.children.map(blockText).join(' ')
    case 'code':
      return block.text
    case 'table':
      return [block.head, ...block.rows].flat().map(inlinesText).join(' ')
    case 'rule':
      return ''
    default:
      return assertNever(block)
  }
}

/** The bare words of a stretch of text. */
export const inlinesText = (inlines: readonly Inline[]): string => inlines.map(inlineText).join('')

function inlineText(inline: Inline): string {
  switch (inline.kind) {
    case 'text':
    case 'code':
      return inline.text
    case 'break':
      return ' '
    case 'strong':
    case 'emphasis':
    case 'link':
      return inlinesText(inline.children)
    default:
      return assertNever(inline)
  }
}
