import type { EpochMs, PriceUnits, SizeUnits } from '../../contract/units.ts'
import type { TicksAnswer } from '../../contract/products.ts'
import { parsePrice, parseSize } from '../../contract/price.ts'
import type { Scale, Tick, TickRun } from '../types.ts'

/** Calls `visit` for each tick of a run, in order; prices and sizes are integers at the product's decimals. */
export function forEachTick(
  { seq0, values }: TickRun,
  visit: (seq: number, at: EpochMs, price: PriceUnits, size: SizeUnits) => void,
): void {
  let seq = seq0
  for (let i = 0; i < values.length; i += 3) {
    const [at, price, size] = [values[i] ?? 0, values[i + 1] ?? 0, values[i + 2] ?? 0]
    visit(seq++, at as EpochMs, price as PriceUnits, size as SizeUnits)
  }
}

export function ticksOf(run: TickRun): Tick[] {
  const ticks: Tick[] = []
  forEachTick(run, (seq, at, price, size) => ticks.push({ seq, at, price, size }))
  return ticks
}

export const countOf = ({ values }: TickRun): number => values.length / 3

/** The sequence number of its last tick; of the tick before it if the run is empty. */
export const lastSeqOf = ({ seq0, values }: TickRun): number => seq0 + values.length / 3 - 1

/** The ticks of a run that are later than `seq`; the run itself if all are. */
export function runAfter(run: TickRun, seq: number): TickRun {
  const known = Math.max(0, seq + 1 - run.seq0)
  return known === 0 ? run : { seq0: run.seq0 + known, values: run.values.slice(known * 3) }
}

/** An answer of the venue as a run; undefined if its ticks are not in sequence, or do not fit the product's decimals. */
export function runOf({ ticks }: TicksAnswer, scale: Scale): TickRun | undefined {
  const seq0 = ticks[0]?.[0] ?? 0
  const values: number[] = []
  let seq = seq0
  for (const [tickSeq, at, priceText, sizeText] of ticks) {
    const price = parsePrice(priceText, scale.priceDecimals)
    const size = parseSize(sizeText, scale.sizeDecimals)
    if (tickSeq !== seq++ || price === undefined || size === undefined) return undefined
    values.push(at, price, size)
  }
  return { seq0, values }
}
