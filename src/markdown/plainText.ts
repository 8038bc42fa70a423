import { assertNever } from '../../contract/units.ts'
import { parseMarkdown, type Block } from './blocks.ts'
import type { Inline } from './inline.ts'

/** Chinese and Japanese have no spaces, not even between sentences. */
const unspaced = /([\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]) (?=[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef])/g

/** The plain text of an article in one line. */
export const plainText = (source: string): string => oneLine(parseMarkdown(source).map(blockText))

const oneLine = (texts: readonly string[]): string =>
  texts.join(' ').replace(/\s+/g, ' ').replace(unspaced, '$1').trim()

/** Matches a sentence. Thai has no full stop, so there only the paragraph ends. */
const sentence = /.*?(?:[.!?…]["”»)]*(?= |$)|[。！？][」”）]*)|.+$/g

/** Maximum length of an excerpt. */
const excerptMax = 240

/**
 * The beginning of an article, for its card: as many whole sentences of the first paragraph as fit into `most`
 * characters, but at least the first.
 */
export function excerpt(source: string, most = 120): string {
  const first = parseMarkdown(source).find(({ kind }) => kind === 'paragraph')
  const text = first ? oneLine([blockText(first)]) : plainText(source)
  let end = 0
  for (const { 0: match, index } of text.matchAll(sentence)) {
    if (end > 0 && index + match.length > most) break
    end = index + match.length
  }
  return truncate(text.slice(0, end).trim())
}

/** Truncates at `excerptMax`, between two words, also in languages without spaces. */
function truncate(text: string): string {
  if (text.length <= excerptMax) return text
  const end = lastWordEnd(text)
  return `${text.slice(0, end > 0 ? end : excerptMax - 1).replace(/[\s\p{P}]+$/u, '')}…`
}

function lastWordEnd(text: string): number {
  // Browsers before 2024 may not have it.
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

/** The plain text of inline elements. */
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
