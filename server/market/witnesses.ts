import type { Flush, TickBlock } from './ports.ts'
import { watermarkOf, type ProductState } from './productState.ts'
import {
  compareWitness,
  stepsToKeep,
  type ComparedUntil,
  type PriceStep,
  type WitnessVerdict,
} from './witness.ts'

type Pair = {
  readonly product: ProductState
  readonly witness: ProductState
  readonly maxDeviationBp: number
  steps: { product: readonly PriceStep[]; witness: readonly PriceStep[] }
  /** Of the newest flush; null until it is read. */
  verdict: WitnessVerdict | null
}

/** Compares the products that have a witness with it, flush by flush. */
export class Witnesses {
  readonly #pairs = new Map<string, Pair>()
  #flushedAt: number

  /** @param flushedAt the instant of the newest flush */
  constructor(byId: ReadonlyMap<string, ProductState>, flushedAt: number) {
    this.#flushedAt = flushedAt
    for (const product of byId.values()) {
      const { id, witness: row } = product.settings
      const witness = row && byId.get(row.id)
      if (!row || !witness) continue
      const steps = { product: loggedSteps(product), witness: loggedSteps(witness) }
      this.#pairs.set(id, { product, witness, maxDeviationBp: row.maxDeviationBp, steps, verdict: null })
      this.#trim(id)
    }
  }

  /** Adds what a flush committed, once the states have it. */
  apply({ at, blocks }: Flush): void {
    if (this.#pairs.size === 0) return
    this.#flushedAt = at
    const blockOf = new Map(blocks.map((block) => [block.ix, block]))
    for (const [id, pair] of this.#pairs) {
      const { product, witness, steps } = pair
      pair.steps = {
        product: [...steps.product, ...stepsOf(blockOf.get(product.ix))],
        witness: [...steps.witness, ...stepsOf(blockOf.get(witness.ix))],
      }
      this.#trim(id)
    }
  }

  /** A product without a witness agrees. */
  verdict(id: string): WitnessVerdict {
    const pair = this.#pairs.get(id)
    if (!pair) return 'agrees'
    const { steps, maxDeviationBp } = pair
    return (pair.verdict ??= compareWitness({ ...steps, maxDeviationBp }, this.#comparedUntil(pair)))
  }

  #trim(id: string): void {
    const pair = this.#pairs.get(id)
    if (!pair) return
    const until = this.#comparedUntil(pair)
    const { product, witness } = pair.steps
    pair.steps = { product: stepsToKeep(product, until), witness: stepsToKeep(witness, until) }
    pair.verdict = null
  }

  #comparedUntil({ product, witness }: Pair): ComparedUntil {
    const flushedAt = this.#flushedAt
    return {
      watermark: Math.min(watermarkOf(product, flushedAt), watermarkOf(witness, flushedAt)),
      flushedAt,
    }
  }
}

function stepsOf(block: TickBlock | undefined): PriceStep[] {
  const steps: PriceStep[] = []
  if (!block) return steps
  const { values } = block
  for (let i = 0; i < values.length; i += 3) steps.push({ at: values[i] ?? 0, price: values[i + 1] ?? 0 })
  return steps
}

/** The ticks in memory, at least the newest one; none while the log is empty. */
function loggedSteps({ tail, last }: ProductState): PriceStep[] {
  if (tail.count === 0) return tail.head.seq > 0 ? [last] : []
  const { at, price } = tail.slice(0, tail.count)
  return Array.from(at, (each, i) => ({ at: each, price: price[i] ?? 0 }))
}
