import type { LogLeaf } from '../../../contract/tlog/leaf.ts'
import type { Gap } from '../../../contract/settle.ts'

type GapLine = LogLeaf['gaps'][number]

/** Which gaps a leaf states: each when it began, if it lasts by then, and when it ended. */
export type GapNews = {
  /** @param since the instant of the leaf before */
  between(
    since: number,
    until: number,
    gaps: readonly { productId: string; gaps: readonly Gap[] }[],
  ): GapLine[]
}

/** Gaps that last at a start are stated again: what was stated before is not known. */
export function createGapNews(): GapNews {
  let open = new Set<string>()
  return {
    between: (since, until, products) => {
      const lines: GapLine[] = []
      const stillOpen = new Set<string>()
      for (const { productId, gaps } of products) {
        for (const { from, to } of gaps) {
          const name = `${productId} ${from}`
          if (to === null) stillOpen.add(name)
          const isNew = to === null ? !open.has(name) : to <= until && (to > since || open.has(name))
          if (isNew) lines.push({ productId, from, to })
        }
      }
      open = stillOpen
      return lines
    },
  }
}
