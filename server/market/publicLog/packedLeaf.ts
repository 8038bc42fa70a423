import type { LogLeaf } from '../../../contract/tlog/leaf.ts'
import { hashBytes } from '../../../contract/tlog/merkle.ts'
import { ByteReader, ByteWriter } from '../log/packing.ts'

/** How the heads of a leaf are packed: all of them, or those that differ from the leaf before. */
const kinds = { whole: 0, changes: 1 } as const

/**
 * Packs a leaf, apart from its instant, as the difference from the leaf before: about 36 bytes for each product with new
 * ticks, where the text has 80 for each product.
 * @param before the leaf before in its bundle; null: the first of one, which is packed whole
 */
export function packLeaf(leaf: LogLeaf, before: LogLeaf | null): Buffer {
  const writer = new ByteWriter(256)
  if (before !== null && canFollow(leaf, before)) packChanges(writer, leaf, before)
  else packWhole(writer, leaf)
  writer.uint(leaf.gaps.length)
  for (const { productId, from, to } of leaf.gaps) {
    writer.text(productId)
    writer.uint(from)
    writer.uint(to === null ? 0 : to - from)
  }
  return writer.finish()
}

/** The same log and products, and none that went back, as after damaged ticks were cut off. */
const canFollow = (leaf: LogLeaf, before: LogLeaf): boolean =>
  leaf.origin === before.origin &&
  leaf.heads.length === before.heads.length &&
  leaf.heads.every(({ productId, seq }, i) => {
    const own = before.heads[i]
    return own?.productId === productId && seq >= own.seq
  })

function packWhole(writer: ByteWriter, { origin, heads }: LogLeaf): void {
  writer.uint(kinds.whole)
  writer.text(origin)
  writer.uint(heads.length)
  for (const { productId, seq, hash } of heads) {
    writer.text(productId)
    writer.uint(seq)
    writer.hex(hash)
  }
}

function packChanges(writer: ByteWriter, { heads }: LogLeaf, before: LogLeaf): void {
  const changed = heads.flatMap(({ seq, hash }, i) => {
    const own = before.heads[i]
    return own && (own.seq !== seq || own.hash !== hash) ? [{ i, added: seq - own.seq, hash }] : []
  })
  writer.uint(kinds.changes)
  writer.uint(changed.length)
  for (const { i, added, hash } of changed) {
    writer.uint(i)
    writer.uint(added)
    writer.hex(hash)
  }
}

/** Reads the bytes of {@link packLeaf}. @throws RangeError if they are damaged */
export function unpackLeaf(at: number, data: Uint8Array, before: LogLeaf | null): LogLeaf {
  const reader = new ByteReader(data)
  const isWhole = reader.uint() === kinds.whole
  const { origin, heads } = isWhole ? unpackWhole(reader) : unpackChanges(reader, before)
  const gaps = Array.from({ length: reader.uint() }, () => {
    const productId = reader.text()
    const from = reader.uint()
    const length = reader.uint()
    return { productId, from, to: length === 0 ? null : from + length }
  })
  return { origin, at, heads, gaps }
}

type Heads = Pick<LogLeaf, 'origin' | 'heads'>

function unpackWhole(reader: ByteReader): Heads {
  const origin = reader.text()
  const heads = Array.from({ length: reader.uint() }, () => ({
    productId: reader.text(),
    seq: reader.uint(),
    hash: reader.hex(hashBytes),
  }))
  return { origin, heads }
}

function unpackChanges(reader: ByteReader, before: LogLeaf | null): Heads {
  if (before === null) throw new RangeError('a leaf of the log lacks the one before it')
  const heads = [...before.heads]
  for (let left = reader.uint(); left > 0; left--) {
    const i = reader.uint()
    const own = heads[i]
    if (own === undefined) throw new RangeError('a leaf of the log names no product')
    heads[i] = { productId: own.productId, seq: own.seq + reader.uint(), hash: reader.hex(hashBytes) }
  }
  return { origin: before.origin, heads }
}
