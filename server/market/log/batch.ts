import { ByteReader, ByteWriter } from './packing.ts'

/** One product's part of a flush: consecutive ticks from `seq0`, flat (at, price, size), and the hash after the last. */
export type BatchBlock = { ix: number; seq0: number; values: readonly number[]; hash: string }

const hashBytes = 32

/**
 * Packs a flush into the bytes of its row: per product `ix, seq0, count, hash after`, then for each tick its distance
 * from the watermark `at`, its price as the difference from the one before, and its size.
 */
export function packBatch(at: number, blocks: readonly BatchBlock[]): Buffer {
  const writer = new ByteWriter(256)
  for (const block of blocks) {
    writer.uint(block.ix)
    writer.uint(block.seq0)
    writer.uint(block.values.length / 3)
    writer.hex(block.hash)
    let price = 0
    for (let i = 0; i < block.values.length; i += 3) {
      writer.uint(at - (block.values[i] ?? 0))
      writer.int((block.values[i + 1] ?? 0) - price)
      writer.uint(block.values[i + 2] ?? 0)
      price = block.values[i + 1] ?? 0
    }
  }
  return writer.finish()
}

/** Reads the bytes of {@link packBatch}. @throws RangeError if they are damaged */
export function unpackBatch(at: number, data: Uint8Array): BatchBlock[] {
  const reader = new ByteReader(data)
  const blocks: BatchBlock[] = []
  while (!reader.done) {
    const ix = reader.uint()
    const seq0 = reader.uint()
    const count = reader.uint()
    const hash = reader.hex(hashBytes)
    const values: number[] = []
    let price = 0
    for (let i = 0; i < count; i++) {
      const tickAt = at - reader.uint()
      price += reader.int()
      values.push(tickAt, price, reader.uint())
    }
    blocks.push({ ix, seq0, values, hash })
  }
  return blocks
}
