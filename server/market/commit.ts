import type { Head } from '../../contract/chain.ts'
import type { Flush, MarketBlock } from '../ports.ts'
import type { Book } from './book.ts'
import type { GapRow } from './flush-store.ts'

/** One committed flush, with all that books elsewhere need to follow it. */
export type Commit = Omit<Flush, 'blocks'> & {
  id: number
  blocks: readonly (MarketBlock & { hash: string })[]
  gaps: readonly GapRow[]
  /** The first minute that has no row yet. */
  minutesUntil: number
}

/** Runs that chunks hold now: each product's number and the head at which its run ends. */
export type Sealed = readonly { ix: number; after: Head }[]

/** Takes a committed flush into the books. */
export function applyCommit(books: readonly Book[], { id, blocks, gaps }: Commit): void {
  const blockOf = new Map(blocks.map((block) => [block.ix, block]))
  const gapOf = new Map(gaps.map((gap) => [gap.ix, gap]))
  for (const book of books) {
    const block = blockOf.get(book.ix)
    if (block) applyBlock(book, block, id)
    const gap = gapOf.get(book.ix)
    if (gap) book.gaps.push({ from: gap.fromAt, to: gap.toAt })
  }
}

function applyBlock(book: Book, { seq0, values, hash }: Commit['blocks'][number], batch: number): void {
  book.tail.append(batch, values, hash)
  for (let i = 0; i < values.length; i += 3) {
    book.buckets.add(seq0 + i / 3, values[i] ?? 0, values[i + 1] ?? 0, values[i + 2] ?? 0)
  }
  book.last = { at: values.at(-3) ?? 0, price: values.at(-2) ?? 0 }
}
