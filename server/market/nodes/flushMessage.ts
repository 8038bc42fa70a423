import type { Commit } from '../commit.ts'
import { unpackRow } from '../log/batch.ts'
import type { GapRow } from '../log/flushStore.ts'

/** A committed row of the tick log, as its leader sends it to the other nodes, and as PostgreSQL has it. */
export type FlushMessage = {
  id: number
  at: number
  /** The leader's term. */
  term: number
  /** The row's bytes: ticks, hashes and live watermarks. */
  data: Uint8Array
  gaps: readonly GapRow[]
  /** The first minute that has no row yet. */
  minutesUntil: number
  /** Of live products without a tick: number and the feed's price, in units. */
  openingPrices: readonly (readonly [ix: number, price: number])[]
}

const newline = 0x0a

/** One line of JSON, then the row's bytes as they are. */
export function encodeFlush({ data, ...rest }: FlushMessage): Uint8Array {
  return Buffer.concat([Buffer.from(`${JSON.stringify(rest)}\n`), data])
}

/** Reads the bytes of {@link encodeFlush}. @throws SyntaxError if they are damaged */
export function decodeFlush(message: Uint8Array): FlushMessage {
  const end = message.indexOf(newline)
  const head = Buffer.from(message.buffer, message.byteOffset, Math.max(end, 0)).toString()
  const rest = JSON.parse(head) as Omit<FlushMessage, 'data'>
  return { ...rest, data: message.subarray(end + 1) }
}

export function messageOf(commit: Commit, term: number): FlushMessage {
  const { id, at, data, gaps, minutesUntil, live } = commit
  const openingPrices = live.flatMap(({ ix, openingPrice }) =>
    openingPrice === null ? [] : [[ix, openingPrice] as const],
  )
  return { id, at, term, data, gaps, minutesUntil, openingPrices }
}

/**
 * @param idOf a product's id by its number; undefined if the product has left the table
 * @throws RangeError if the row's bytes are damaged
 */
export function commitOf(message: FlushMessage, idOf: (ix: number) => string | undefined): Commit {
  const { id, at, data, gaps, minutesUntil } = message
  const { blocks, watermarks } = unpackRow(at, data)
  const openingPrices = new Map(message.openingPrices)
  return {
    id,
    at,
    data,
    gaps,
    minutesUntil,
    blocks: blocks.flatMap((block) => {
      const productId = idOf(block.ix)
      return productId === undefined ? [] : [{ id: productId, ...block }]
    }),
    live: [...watermarks].map(([ix, watermark]) => ({
      ix,
      watermark,
      openingPrice: openingPrices.get(ix) ?? null,
    })),
  }
}
