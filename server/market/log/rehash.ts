import { priceUnits, sizeUnits } from '../../../contract/units.ts'
import { linkHash, type Sha256Hex, type WireTick } from '../../../contract/chain.ts'
import { formatPrice, formatSize } from '../../../contract/price.ts'
import type { BatchBlock } from './batch.ts'
import type { TickColumns } from './columns.ts'
import type { Provenance } from './provenance.ts'

/** The parts of a product that a tick's hashed text depends on. */
export type Scale = { id: string; priceDecimals: number; sizeDecimals: number }

/** One tick of columns in the contract's format. */
export function toWireTick(
  scale: Scale,
  { seq0, at, price, size, provenance }: TickColumns,
  i: number,
): WireTick {
  return wireTick(scale, [seq0 + i, at[i], price[i], size[i]], provenance, i)
}

type TickUnits = readonly [
  seq: number,
  at: number | undefined,
  price: number | undefined,
  size: number | undefined,
]

function wireTick(
  scale: Scale,
  [seq, at = 0, price = 0, size = 0]: TickUnits,
  provenance: Provenance | undefined,
  i: number,
): WireTick {
  const priceText = formatPrice(priceUnits(price), scale.priceDecimals)
  const sizeText = formatSize(sizeUnits(size), scale.sizeDecimals)
  const sourceId = provenance?.ids[i] ?? null
  if (sourceId === null) return [seq, at, priceText, sizeText]
  return [seq, at, priceText, sizeText, sourceId, provenance?.at[i] ?? 0]
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

/** The hash after the ticks of a block, from the hash before them. */
export function hashAfterBlock(
  before: string,
  scale: Scale,
  { seq0, values, provenance }: Pick<BatchBlock, 'seq0' | 'values' | 'provenance'>,
  sha: Sha256Hex,
): string {
  let hash = before
  for (let i = 0; i < values.length / 3; i++) {
    const at = i * 3
    const tick = wireTick(scale, [seq0 + i, values[at], values[at + 1], values[at + 2]], provenance, i)
    hash = linkHash(hash, scale.id, tick, sha)
  }
  return hash
}
