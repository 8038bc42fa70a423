import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import type { TickColumns } from './columns.ts'
import { brokenChunk, LogCorruptError } from '../../platform/logCorruptError.ts'
import { ByteReader, ByteWriter } from './packing.ts'
import { packProvenance, unpackProvenance } from './provenance.ts'

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/** Above the size of any unpacked chunk: damaged bytes cannot exhaust the memory. */
const unpackedMax = 4 * 1024 * 1024
/** The packed bytes start with this much of their own SHA-256, because inflating ignores changes of some bits. */
const digestBytes = 8

/**
 * Packs a run of ticks: the differences of the instants, then those of the prices, then the sizes, and if ticks are live,
 * where they come from. Columns compress better than rows. Deflates off the event loop. About two bytes per tick, and a
 * third of a byte for where it comes from.
 */
export async function packChunk(ticks: TickColumns): Promise<Buffer> {
  const writer = new ByteWriter(ticks.at.length * 6)
  writer.uint(ticks.at.length)
  let at = 0
  for (const each of ticks.at) {
    writer.uint(each - at)
    at = each
  }
  let price = 0
  for (const each of ticks.price) {
    writer.int(each - price)
    price = each
  }
  for (const each of ticks.size) writer.uint(each)
  if (ticks.provenance) packProvenance(writer, ticks.provenance, ticks.at)
  const packed = await deflate(writer.finish())
  return Buffer.concat([digestOf(packed), packed])
}

/** Reads the bytes of {@link packChunk}. Rejects if they are damaged. */
export async function unpackChunk(seq0: number, data: Uint8Array): Promise<TickColumns> {
  const packed = data.subarray(digestBytes)
  if (!digestOf(packed).equals(data.subarray(0, digestBytes)))
    throw new RangeError('the digest of the chunk does not match')
  const reader = new ByteReader(await inflate(packed, { maxOutputLength: unpackedMax }))
  const count = reader.uint()
  if (count > unpackedMax) throw new RangeError('the tick count of the chunk is too large')
  const at = new Float64Array(count)
  const price = new Float64Array(count)
  const size = new Float64Array(count)
  for (let i = 0; i < count; i++) at[i] = (at[i - 1] ?? 0) + reader.uint()
  for (let i = 0; i < count; i++) price[i] = (price[i - 1] ?? 0) + reader.int()
  for (let i = 0; i < count; i++) size[i] = reader.uint()
  const provenance = reader.done ? undefined : unpackProvenance(reader, at)
  if (!reader.done) throw new RangeError('the chunk is longer than its tick count')
  return { seq0, at, price, size, provenance }
}

/**
 * The ticks of a stored chunk.
 * @throws LogCorruptError if its bytes are not those that were packed
 */
export async function ticksOfChunk(
  productId: string,
  chunk: { ix: number; seq0: number; at0: number; data: Uint8Array },
): Promise<TickColumns> {
  try {
    return await unpackChunk(chunk.seq0, chunk.data)
  } catch {
    throw new LogCorruptError(productId, chunk.seq0, 'its bytes cannot be read', brokenChunk(chunk))
  }
}

const digestOf = (packed: Uint8Array): Buffer =>
  createHash('sha256').update(packed).digest().subarray(0, digestBytes)
