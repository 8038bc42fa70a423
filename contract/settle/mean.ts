import type { Exit, MeanExit, R2Terms, SettleOrder, SettleTick } from './types.ts'

export const isMean = (exit: Exit): exit is MeanExit => 'sum' in exit

/** The instant after which a tick belongs to the window of the exit. */
export const windowFrom = (terms: R2Terms, { closeAt }: Pick<SettleOrder, 'closeAt'>): number =>
  closeAt - terms.exitWindowMs

/**
 * The exit of rule R2: the mean of the window's ticks without the highest and the lowest of them, or the mean of the
 * newest ticks after the entry if the window has too few. Null if these are too old, or if there are none.
 * @param ticks ascending in `seq`; those after `closeAt` do not count
 */
export function meanExit(
  terms: R2Terms,
  order: Pick<SettleOrder, 'closeAt'>,
  entry: SettleTick,
  ticks: readonly SettleTick[],
): MeanExit | null {
  const { exitCutBp, exitMinTicks, maxTickGapMs } = terms
  const known = ticks.filter(({ at }) => at <= order.closeAt)
  const inWindow = known.filter(({ at }) => at > windowFrom(terms, order))
  if (inWindow.length >= exitMinTicks) return meanOf(inWindow, exitCutBp)
  const newest = known.filter(({ seq }) => seq > entry.seq).slice(-exitMinTicks)
  return meanOf(
    newest.filter(({ at }) => order.closeAt - at <= maxTickGapMs),
    0,
  )
}

/** The mean of ticks, with the given fraction of them left out at each end of the sorted prices. */
function meanOf(ticks: readonly SettleTick[], cutBp: number): MeanExit | null {
  const [first] = ticks
  const last = ticks.at(-1)
  if (!first || !last) return null
  const cut = Math.floor((ticks.length * cutBp) / 10_000)
  const prices = ticks.map(({ price }) => price).sort((a, b) => a - b)
  const kept = prices.slice(cut, prices.length - cut)
  const sum = kept.reduce((total, price) => total + BigInt(price), 0n)
  return { value: meanValue(sum, kept.length), sum, ticks: kept.length, from: first.seq, to: last.seq }
}

/** A mean at one decimal more than its prices, rounded half up. */
export function meanValue(sum: bigint, count: number): bigint {
  return (sum * 20n + BigInt(count)) / (BigInt(count) * 2n)
}

/** The sign of exit − entry, from the exact sum: nothing is rounded. */
export function riseOf(entry: Pick<SettleTick, 'price'>, exit: Exit): -1 | 0 | 1 {
  const [before, after] = isMean(exit)
    ? [BigInt(entry.price) * BigInt(exit.ticks), exit.sum]
    : [entry.price, exit.price]
  return after > before ? 1 : after < before ? -1 : 0
}
