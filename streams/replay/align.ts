import type { ReplayProduct } from './replayedProduct.ts'

/**
 * How recordings are played together: `start`: each from its own first tick, at the instants of the first recording;
 * `time`: by the clock, and each has ticks only while it was recorded.
 */
export type Align = 'start' | 'time'

/** Recordings as they are played together; those of one group keep the time between them. */
export function aligned(groups: readonly (readonly ReplayProduct[])[], align: Align): ReplayProduct[] {
  if (align === 'time') return groups.flat()
  const starts = groups.map((group) => Math.min(...group.map(startOf)))
  const [origin = 0] = starts
  return groups.flatMap((group, i) => group.map((product) => later(product, origin - (starts[i] ?? origin))))
}

const startOf = ({ recording, arrivals }: ReplayProduct): number => (arrivals ?? recording.at)[0] ?? 0

function later(product: ReplayProduct, ms: number): ReplayProduct {
  if (ms === 0) return product
  const { recording, arrivals } = product
  const moved = { ...product, recording: { ...recording, at: recording.at.map((at) => at + ms) } }
  return arrivals ? { ...moved, arrivals: arrivals.map((at) => at + ms) } : moved
}
