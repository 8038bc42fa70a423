import { ByteReader, ByteWriter } from './packing.ts'
import { packProvenance, unpackProvenance, type Provenance } from './provenance.ts'

/** One product's part of a flush: consecutive ticks from `seq0`, flat (at, price, size), and the hash after the last. */
export type BatchBlock = {
  ix: number
  seq0: number
  values: readonly number[]
  hash: string
  /** Where the ticks of a live source come from. */
  provenance?: Provenance | undefined
}

/** The watermark of a live product after a flush: all others have the flush's own instant. */
export type LiveWatermark = { ix: number; watermark: number }

const hashBytes = 32
/** Ends the blocks of computed products: no product has this number. */
const liveFollows = 0

/**
 * Packs a flush into the bytes of its row: per product `ix, seq0, count, hash after`, then for each tick its distance
 * from the flush's instant `at`, its price as the difference from the one before, and its size. If there are live
 * products, each follows with its watermark, with or without ticks: the newest row alone says how far they reach. Its
 * ticks' distances are from that watermark, so that their hash covers it too.
 */
export function packBatch(
  at: number,
  blocks: readonly BatchBlock[],
  live: readonly LiveWatermark[] = [],
): Buffer {
  const writer = new ByteWriter(256)
  const ofLive = new Map<number, BatchBlock>()
  const liveIxs = new Set(live.map(({ ix }) => ix))
  for (const block of blocks) {
    if (liveIxs.has(block.ix)) ofLive.set(block.ix, block)
    else {
      writer.uint(block.ix)
      packTicks(writer, at, block)
    }
  }
  if (live.length > 0) writer.uint(liveFollows)
  for (const { ix, watermark } of live) {
    const block = ofLive.get(ix)
    writer.uint(ix)
    writer.int(at - watermark)
    packTicks(writer, watermark, block ?? { seq0: 0, values: [], hash: '' })
    if (block) packProvenance(writer, block.provenance ?? noProvenance, instantsOf(block.values))
  }
  return writer.finish()
}

const noProvenance: Provenance = { ids: [], at: [] }

/** Reads the bytes of {@link packBatch}. @throws RangeError if they are damaged */
export const unpackBatch = (at: number, data: Uint8Array): BatchBlock[] => unpackRow(at, data).blocks

/** The watermarks of live products in the bytes of {@link packBatch}, by product number. */
export const unpackWatermarks = (at: number, data: Uint8Array): ReadonlyMap<number, number> =>
  unpackRow(at, data).watermarks

/** Ticks and watermarks in the bytes of {@link packBatch}. @throws RangeError if they are damaged */
export function unpackRow(
  at: number,
  data: Uint8Array,
): { blocks: BatchBlock[]; watermarks: ReadonlyMap<number, number> } {
  const reader = new ByteReader(data)
  const blocks: BatchBlock[] = []
  const watermarks = new Map<number, number>()
  let isLive = false
  while (!reader.done) {
    const ix = reader.uint()
    if (ix === liveFollows && !isLive) {
      isLive = true
      continue
    }
    const watermark = isLive ? at - reader.int() : at
    if (isLive) watermarks.set(ix, watermark)
    const block = unpackTicks(reader, watermark)
    if (!isLive) blocks.push({ ix, ...block })
    else if (block.values.length > 0) {
      const provenance = unpackProvenance(reader, instantsOf(block.values))
      blocks.push({ ix, ...block, provenance })
    }
  }
  return { blocks, watermarks }
}

type Ticks = Pick<BatchBlock, 'seq0' | 'values' | 'hash'>

function packTicks(writer: ByteWriter, at: number, { seq0, values, hash }: Ticks): void {
  writer.uint(seq0)
  writer.uint(values.length / 3)
  writer.hex(hash)
  let price = 0
  for (let i = 0; i < values.length; i += 3) {
    writer.uint(at - (values[i] ?? 0))
    writer.int((values[i + 1] ?? 0) - price)
    writer.uint(values[i + 2] ?? 0)
    price = values[i + 1] ?? 0
  }
}

function unpackTicks(reader: ByteReader, at: number): Ticks {
  const seq0 = reader.uint()
  const count = reader.uint()
  if (seq0 === 0 && count === 0) return { seq0, values: [], hash: '' }
  const hash = reader.hex(hashBytes)
  const values: number[] = []
  let price = 0
  for (let i = 0; i < count; i++) {
    const tickAt = at - reader.uint()
    price += reader.int()
    values.push(tickAt, price, reader.uint())
  }
  return { seq0, values, hash }
}

const instantsOf = (values: readonly number[]): number[] => values.filter((_, i) => i % 3 === 0)
