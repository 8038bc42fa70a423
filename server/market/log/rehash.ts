import { priceUnits, sizeUnits } from '../../../contract/brand.ts'
import { linkHash } from '../../../contract/chain.ts'
import type { Sha256Hex, WireTick } from '../../../contract/chain.ts'
import { formatPrice, formatSize } from '../../../contract/price.ts'
import type { TickColumns } from './columns.ts'
import type { Provenance } from './provenance.ts'

/** The parts of a product that a tick's hashed text depends on. */
export type Scale = { id: string; priceDecimals: number; sizeDecimals: number }

/** One tick of columns in the contract's format. */
export function toWireTick(scale: Scale, ticks: TickColumns, i: number): WireTick {
  const seq = ticks.seq0 + i
  const at = ticks.at[i] ?? 0
  const price = formatPrice(priceUnits(ticks.price[i] ?? 0), scale.priceDecimals)
  const size = formatSize(sizeUnits(ticks.size[i] ?? 0), scale.sizeDecimals)
  const sourceId = ticks.provenance?.ids[i] ?? null
  if (sourceId === null) return [seq, at, price, size]
  return [seq, at, price, size, sourceId, ticks.provenance?.at[i] ?? 0]
}

export function toWireTicks(scale: Scale, ticks: TickColumns): WireTick[] {
  return Array.from({ length: ticks.at.length }, (_, i) => toWireTick(scale, ticks, i))
}

/** The hash after the first `count` ticks, from the hash before them. */
export function hashAfter(
  before: string,
  scale: Scale,
  ticks: TickColumns,
  sha: Sha256Hex,
  count = ticks.at.length,
): string {
  let hash = before
  for (let i = 0; i < count; i++) hash = linkHash(hash, scale.id, toWireTick(scale, ticks, i), sha)
  return hash
}

/** Converts a flat list of (at, price, size) to columns. */
export function columnsOf(seq0: number, values: readonly number[], provenance?: Provenance): TickColumns {
  const count = values.length / 3
  const columns = {
    at: new Float64Array(count),
    price: new Float64Array(count),
    size: new Float64Array(count),
  }
  for (let i = 0; i < count; i++) {
    columns.at[i] = values[i * 3] ?? 0
    columns.price[i] = values[i * 3 + 1] ?? 0
    columns.size[i] = values[i * 3 + 2] ?? 0
  }
  return { seq0, ...columns, provenance }
}
