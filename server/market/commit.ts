import type { Head } from '../../contract/chain.ts'
import type { Flush, TickBlock } from './ports.ts'
import type { ProductState } from './productState.ts'
import type { GapRow } from './log/flushStore.ts'

/** How far a live product is committed; `openingPrice` is the feed's, in units, until the first tick. */
export type LiveProgress = { ix: number; watermark: number; openingPrice: number | null }

/** One committed flush, with everything that other product states need to follow it. */
export type Commit = Omit<Flush, 'blocks'> & {
  id: number
  blocks: readonly (TickBlock & { hash: string })[]
  gaps: readonly GapRow[]
  /** Every live product. */
  live: readonly LiveProgress[]
  /** The first minute that has no row yet. */
  minutesUntil: number
  /** The bytes of its row. */
  data: Uint8Array
}

/** Runs that are in chunks now: each product's number and the head at the end of its run. */
export type Compacted = readonly { ix: number; after: Head }[]

/** Applies a committed flush to the product states. */
export function applyCommit(
  productStates: readonly ProductState[],
  { id, blocks, gaps, live }: Commit,
): void {
  const blockOf = new Map(blocks.map((block) => [block.ix, block]))
  const progressOf = new Map(live.map((progress) => [progress.ix, progress]))
  applyGaps(productStates, gaps)
  for (const state of productStates) {
    const block = blockOf.get(state.ix)
    if (block) applyBlock(state, block, id)
    const progress = progressOf.get(state.ix)
    if (progress) applyProgress(state, progress)
  }
}

/** Adds gaps in the order of their beginning. A node may read one again that it has. */
export function applyGaps(
  productStates: readonly Pick<ProductState, 'ix' | 'gaps'>[],
  gaps: readonly GapRow[],
): void {
  if (gaps.length === 0) return
  const states = new Map(productStates.map((state) => [state.ix, state]))
  for (const { ix, fromAt, toAt } of gaps) {
    const known = states.get(ix)?.gaps
    if (!known || known.some(({ from }) => from === fromAt)) continue
    const next = known.findIndex(({ from }) => from > fromAt)
    known.splice(next === -1 ? known.length : next, 0, { from: fromAt, to: toAt })
  }
}

function applyProgress(state: ProductState, { watermark, openingPrice }: LiveProgress): void {
  state.coveredUntil = watermark
  if (state.last.price === 0 && openingPrice !== null) state.last = { ...state.last, price: openingPrice }
}

function applyBlock(
  state: ProductState,
  { seq0, values, provenance, hash }: Commit['blocks'][number],
  batch: number,
): void {
  state.tail.append(batch, values, hash, provenance)
  for (let i = 0; i < values.length; i += 3) {
    state.buckets.add(seq0 + i / 3, values[i] ?? 0, values[i + 1] ?? 0, values[i + 2] ?? 0)
  }
  state.last = { at: values.at(-3) ?? 0, price: values.at(-2) ?? 0 }
}
