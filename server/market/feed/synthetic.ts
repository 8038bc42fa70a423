import { noTicks, type ComputedFeed, type ComputedSource, type FeedTick } from './feed.ts'

export type SyntheticSettings = {
  seed: number
  ticksPerSecond: number
  /** First price in units. */
  start: number
  /** Rough size of a day's move as a fraction of the first price (0.02 = 2 %). */
  volatility: number
}

/** Octaves of the walk: the slowest swings over 2^21 ticks, the fastest from tick to tick. */
const octaves = 22
const sizeMax = 20
const spans = Float64Array.from({ length: octaves }, (_, octave) => 2 ** -octave)
const weights = Float64Array.from({ length: octaves }, (_, octave) => 2 ** ((octave - octaves) / 2))

/**
 * A synthetic price for load tests: a seeded fractal walk. Any tick is computed from its number alone, so thousands of
 * products need no state and a restart continues at the current time.
 */
export function syntheticSource(settings: SyntheticSettings): ComputedSource {
  const { seed, ticksPerSecond, start, volatility } = settings
  return {
    kind: 'computed',
    fingerprint: `synthetic:${seed}:${ticksPerSecond}:${start}:${volatility}`,
    label: 'synthetic',
    historyMs: 0,
    skipped: null,
    open: (epoch) => syntheticFeed(settings, epoch),
  }
}

function syntheticFeed(settings: SyntheticSettings, epoch: number): ComputedFeed {
  const { seed, start } = settings
  const spacingMs = 1000 / settings.ticksPerSecond
  // The offset keeps products that start together from ticking together.
  const origin = epoch + 1 + Math.floor(toUnitInterval(noise(seed, 0, 0)) * (spacingMs - 1))
  const priceOf = createWalk(settings)
  const atOf = (n: number): number => origin + Math.floor(n * spacingMs)
  const sizeOf = (n: number): number => 1 + Math.floor(toUnitInterval(noise(seed, octaves + 1, n)) * sizeMax)
  const countAt = (t: number): number => {
    if (t < origin) return 0
    let count = Math.floor((t - origin) / spacingMs) + 1
    while (atOf(count) <= t) count++
    while (count > 0 && atOf(count - 1) > t) count--
    return count
  }
  return {
    kind: 'computed',
    due: (after, until) => {
      const end = countAt(until)
      let n = countAt(after)
      if (n >= end) return noTicks
      const values: number[] = []
      for (; n < end; n++) values.push(atOf(n), priceOf(n), sizeOf(n))
      return values
    },
    tradingHoursAt: () => ({ open: true, opensAt: null, closesAt: null }),
    openingPrice: start,
    countAt,
    tickOf: (n): FeedTick => ({ at: atOf(n), price: priceOf(n), size: sizeOf(n) }),
  }
}

/**
 * Value noise over octaves, each half as fast as the one before and √2 as large: the shape of a random walk, but each
 * point can be computed alone. The two lattice points around `n` are cached per octave, because the next `n` needs them.
 */
function createWalk({ seed, start, volatility }: SyntheticSettings): (n: number) => number {
  const lattice = new Float64Array(octaves).fill(-1)
  const left = new Float64Array(octaves)
  const right = new Float64Array(octaves)
  const sumAt = (n: number): number => {
    let sum = 0
    for (let octave = 0; octave < octaves; octave++) {
      const step = n * (spans[octave] ?? 0)
      const cell = Math.floor(step)
      if (lattice[octave] !== cell) {
        lattice[octave] = cell
        left[octave] = noise(seed, octave + 1, cell)
        right[octave] = noise(seed, octave + 1, cell + 1)
      }
      const from = left[octave] ?? 0
      sum += (from + ((right[octave] ?? 0) - from) * (step - cell)) * (weights[octave] ?? 0)
    }
    return sum
  }
  const base = sumAt(0)
  return (n) => Math.max(1, Math.round(start * Math.exp(volatility * (sumAt(n) - base))))
}

const toUnitInterval = (value: number): number => value * 0.5 + 0.5

/** A number in [−1, 1) that depends only on its three integers (the avalanche of a 32-bit hash finaliser). */
function noise(seed: number, lane: number, n: number): number {
  let hash = Math.imul(seed ^ Math.imul(lane, 0x9e3779b1), 0x85ebca6b) ^ Math.imul(n | 0, 0xc2b2ae35)
  hash ^= Math.floor(n / 2 ** 32)
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b)
  return ((hash ^ (hash >>> 16)) | 0) / 2 ** 31
}
