import type { Head } from '../../contract/chain.ts'
import type { Flush, TickBlock } from '../ports.ts'
import type { ProductState } from './productState.ts'
import type { GapRow } from './log/flushStore.ts'

/** One committed flush, with everything that other product states need to follow it. */
export type Commit = Omit<Flush, 'blocks'> & {
  id: number
  blocks: readonly (TickBlock & { hash: string })[]
  gaps: readonly GapRow[]
  /** The first minute that has no row yet. */
  minutesUntil: number
}

/** Runs that are in chunks now: each product's number and the head at the end of its run. */
export type Compacted = readonly { ix: number; after: Head }[]

/** Applies a committed flush to the product states. */
export function applyCommit(productStates: readonly ProductState[], { id, blocks, gaps }: Commit): void {
  const blockOf = new Map(blocks.map((block) => [block.ix, block]))
  const gapOf = new Map(gaps.map((gap) => [gap.ix, gap]))
  for (const state of productStates) {
    const block = blockOf.get(state.ix)
    if (block) applyBlock(state, block, id)
    const gap = gapOf.get(state.ix)
    if (gap) state.gaps.push({ from: gap.fromAt, to: gap.toAt })
  }
}

function applyBlock(
  state: ProductState,
  { seq0, values, hash }: Commit['blocks'][number],
  batch: number,
): void {
  state.tail.append(batch, values, hash)
  for (let i = 0; i < values.length; i += 3) {
    state.buckets.add(seq0 + i / 3, values[i] ?? 0, values[i + 1] ?? 0, values[i + 2] ?? 0)
  }
  state.last = { at: values.at(-3) ?? 0, price: values.at(-2) ?? 0 }
}
