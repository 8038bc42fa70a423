import type { Head } from '../chain.ts'

/** The heads of all products at one instant, and the gaps that began or ended since the leaf before. */
export type LogLeaf = {
  /** The name of the log, as in its checkpoints. */
  origin: string
  /** The instant of the newest flush when the leaf was made, epoch ms. */
  at: number
  heads: readonly (Head & { productId: string })[]
  /** `to` is null while the gap lasts. */
  gaps: readonly { productId: string; from: number; to: number | null }[]
}

const firstLine = 'uptick/v1'

/** The text of a leaf, whose UTF-8 bytes are an entry of the log. Heads and gaps must ascend by product. */
export function formatLeaf({ origin, at, heads, gaps }: LogLeaf): string {
  const lines = [
    firstLine,
    origin,
    String(at),
    ...heads.map(({ productId, seq, hash }) => `${productId} ${seq} ${hash}`),
    ...gaps.map(({ productId, from, to }) => `gap ${productId} ${from} ${to ?? '-'}`),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

const headPattern = /^(\S+) (0|[1-9]\d{0,15}) ([0-9a-f]{64})$/
const gapPattern = /^gap (\S+) (0|[1-9]\d{0,15}) (-|0|[1-9]\d{0,15})$/

/** Reads the text of a leaf; null if it is not one in its one spelling. */
export function parseLeaf(text: string): LogLeaf | null {
  const [first, origin = '', at = '', ...rest] = text.split('\n')
  if (first !== firstLine || rest.pop() !== '' || !/^[1-9]\d{0,15}$/.test(at)) return null
  const heads: LogLeaf['heads'][number][] = []
  const gaps: LogLeaf['gaps'][number][] = []
  for (const line of rest) {
    const [, productId, seq, hash] = headPattern.exec(line) ?? []
    const [, gapOf, from, to] = gapPattern.exec(line) ?? []
    if (productId !== undefined && hash !== undefined) heads.push({ productId, seq: Number(seq), hash })
    else if (gapOf !== undefined)
      gaps.push({ productId: gapOf, from: Number(from), to: to === '-' ? null : Number(to) })
    else return null
  }
  const isAscending = heads.every(
    ({ productId }, i) => i === 0 || (heads[i - 1]?.productId ?? '') < productId,
  )
  const leaf = { origin, at: Number(at), heads, gaps }
  return isAscending && formatLeaf(leaf) === text ? leaf : null
}
