import { assertNever } from '../../contract/brand.ts'
import { parseMarkdown } from './blocks.ts'
import type { Block } from './blocks.ts'
import type { Inline } from './inline.ts'

/** Chinese and Japanese stand without spaces, between sentences too. */
const unspaced =
  /(?<=[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]) (?=[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef])/g

/** The bare words of an article, one line, cut between two of them: for a card that leads to it. */
export function plainText(source: string, most = 240): string {
  const all = parseMarkdown(source).map(blockText).join(' ')
  const words = all.replace(/\s+/g, ' ').replace(unspaced, '').trim()
  if (words.length <= most) return words
  const cut = words.slice(0, most)
  const space = cut.lastIndexOf(' ')
  return `${space > most / 2 ? cut.slice(0, space) : cut}…`
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
