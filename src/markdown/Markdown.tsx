import { Fragment, createElement, useMemo, type ReactNode } from 'react'
import { assertNever } from '../../contract/units.ts'
import { parseMarkdown, type Block } from './blocks.ts'
import type { Inline } from './inline.ts'
import styles from './Markdown.module.css'
import { inlinesText } from './plainText.ts'
import type { Table } from './table.ts'

export type MarkdownProps = {
  source: string
  /** The level of the article's highest heading on this page. */
  top?: 2 | 3
}

/** An article's text as elements. Text is never turned into markup, so nothing in it can run. */
export function Markdown({ source, top = 2 }: MarkdownProps) {
  const blocks = useMemo(() => parseMarkdown(source), [source])
  return <div className={styles.text}>{renderBlocks(blocks, top)}</div>
}

// The parts of an article are never reordered, so they need no keys.
const renderBlocks = (blocks: readonly Block[], top: number): ReactNode =>
  createElement(Fragment, null, ...blocks.map((block) => renderBlock(block, top)))

const renderInlines = (inlines: readonly Inline[]): ReactNode =>
  createElement(Fragment, null, ...inlines.map(renderInline))

function renderBlock(block: Block, top: number): ReactNode {
  switch (block.kind) {
    case 'paragraph':
      return <p>{renderInlines(block.children)}</p>
    case 'heading': {
      const level = Math.min(6, Math.max(2, block.level) + top - 2)
      return createElement(`h${level}`, null, renderInlines(block.children))
    }
    case 'list': {
      const items = block.items.map((item) => createElement('li', null, renderItem(item, top)))
      if (block.start === undefined) return createElement('ul', null, ...items)
      return createElement('ol', { start: block.start }, ...items)
    }
    case 'quote':
      return <blockquote>{renderBlocks(block.children, top)}</blockquote>
    case 'code':
      return (
        <pre>
          <code>{block.text}</code>
        </pre>
      )
    case 'table':
      return renderTable(block)
    case 'rule':
      return <hr />
    default:
      return assertNever(block)
  }
}

/** The first paragraph of an item is beside its marker, without a paragraph's margins. */
function renderItem(item: readonly Block[], top: number): ReactNode {
  const [first, ...rest] = item
  if (first?.kind !== 'paragraph') return renderBlocks(item, top)
  return (
    <>
      {renderInlines(first.children)}
      {renderBlocks(rest, top)}
    </>
  )
}

/** A table wider than the page scrolls inside its own box, also by keyboard, and is labelled by its columns. */
function renderTable({ align, head, rows }: Table): ReactNode {
  const cells = (kind: 'th' | 'td', row: readonly (readonly Inline[])[]) =>
    createElement(
      'tr',
      null,
      ...row.map((cell, at) =>
        createElement(
          kind,
          { scope: kind === 'th' ? 'col' : undefined, 'data-align': align[at] },
          renderInlines(cell),
        ),
      ),
    )
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be keyboard-accessible
    <div className={styles.table} role="region" aria-label={head.map(inlinesText).join(', ')} tabIndex={0}>
      <table>
        <thead>{cells('th', head)}</thead>
        {rows.length > 0 && createElement('tbody', null, ...rows.map((row) => cells('td', row)))}
      </table>
    </div>
  )
}

function renderInline(inline: Inline): ReactNode {
  switch (inline.kind) {
    case 'text':
      return inline.text
    case 'code':
      return <code>{inline.text}</code>
    case 'strong':
      return <strong>{renderInlines(inline.children)}</strong>
    case 'emphasis':
      return <em>{renderInlines(inline.children)}</em>
    case 'break':
      return <br />
    case 'link':
      return (
        <a href={inline.href} {...(inline.href.startsWith('#') ? {} : externalLink)}>
          {renderInlines(inline.children)}
        </a>
      )
    default:
      return assertNever(inline)
  }
}

const externalLink = { target: '_blank', rel: 'noopener noreferrer' }
