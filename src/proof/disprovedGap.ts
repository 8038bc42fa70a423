import type { Gap } from '../../contract/settle.ts'
import type { SeenHead } from '../../streams/index.ts'

/**
 * A gap in whose time a head was received. A file may have as many gaps and heads as its size allows, so no head is looked
 * at for each gap.
 */
export function disprovedGap<G extends Gap>(gaps: readonly G[], seen: readonly SeenHead[]): G | undefined {
  const watermarks = seen.map(({ watermark }) => watermark).sort((a, b) => a - b)
  const firstAfter = (at: number): number | undefined => {
    let [low, high] = [0, watermarks.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((watermarks[middle] ?? 0) > at) high = middle
      else low = middle + 1
    }
    return watermarks[low]
  }
  return gaps.find(({ from, to }) => to !== null && (firstAfter(from) ?? to) < to)
}
