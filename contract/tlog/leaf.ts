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

const topPattern = /^uptick\/v1\n([^\n]*)\n([1-9]\d{0,15})\n/
// Without counts, which a pattern is slow at: numbers and lengths are checked after it.
const headLine = /(\S+) (0|[1-9]\d*) ([0-9a-f]+)\n/y
const hashLength = 64
const gapLine = /gap (\S+) (0|[1-9]\d{0,15}) (-|0|[1-9]\d{0,15})\n/y

/**
 * Reads the text of a leaf; null if it is not one in its one spelling. A month of a log has millions of them: each line is
 * matched where the one before it ended, which takes half the time of splitting the text first.
 */
export function parseLeaf(text: string): LogLeaf | null {
  const [top, origin = '', at = ''] = topPattern.exec(text) ?? []
  if (top === undefined) return null
  let end = top.length
  const heads: LogLeaf['heads'][number][] = []
  const gaps: LogLeaf['gaps'][number][] = []
  for (let line = matchAt(headLine, text, end); line; line = matchAt(headLine, text, end)) {
    const [whole, productId = '', seq, hash = ''] = line
    if (hash.length !== hashLength || (heads.at(-1)?.productId ?? '') >= productId) return null
    heads.push({ productId, seq: Number(seq), hash })
    end += whole.length
  }
  for (let line = matchAt(gapLine, text, end); line; line = matchAt(gapLine, text, end)) {
    const [whole, productId = '', from, to] = line
    gaps.push({ productId, from: Number(from), to: to === '-' ? null : Number(to) })
    end += whole.length
  }
  const numbers = [
    Number(at),
    ...heads.map(({ seq }) => seq),
    ...gaps.flatMap(({ from, to }) => [from, to ?? 0]),
  ]
  if (end !== text.length || !numbers.every(Number.isSafeInteger)) return null
  return { origin, at: Number(at), heads, gaps }
}

function matchAt(sticky: RegExp, text: string, at: number): RegExpExecArray | null {
  sticky.lastIndex = at
  return sticky.exec(text)
}
