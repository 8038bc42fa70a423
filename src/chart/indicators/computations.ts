import { BollingerBands, EMA, RMA, RSI, SMA } from 'trading-signals'
import type { Candle } from '../../../contract/candles.ts'
import type { IndicatorKind } from './kinds.ts'

/** What an indicator needs of a bar. */
export type IndicatorBar = Pick<Candle, 'high' | 'low' | 'close' | 'volume'>
/** The values of the lines at the newest bar, in the order of {@link indicatorRules}; NaN where there are too few bars. */
export type Values = readonly number[]

/** An indicator computed bar by bar. */
export type Computation = {
  /** Takes the next bar, or with `replace` a newer state of the last one. */
  update: (bar: IndicatorBar, replace: boolean) => Values
}

/** Starts an indicator before the first bar. */
export const startIndicator = (kind: IndicatorKind, params: readonly number[]): Computation =>
  starts[kind](params)

const starts: Record<IndicatorKind, (params: readonly number[]) => Computation> = {
  MA: (params) => {
    const averages = params.map((length) => new SMA(length))
    return { update: ({ close }, replace) => averages.map((each) => each.update(close, replace) ?? NaN) }
  },
  EMA: (params) => {
    const averages = params.map((length) => new SeededEma(length))
    return { update: ({ close }, replace) => averages.map((each) => each.update(close, replace)) }
  },
  BOLL: ([length = 0, deviations]) => {
    const bands = new BollingerBands(length, deviations)
    return {
      update: ({ close }, replace) => {
        const band = bands.update(close, replace)
        return band === null ? [NaN, NaN, NaN] : [band.middle, band.upper, band.lower]
      },
    }
  },
  VOL: (params) => {
    const averages = params.map((length) => new SMA(length))
    return {
      update: ({ volume }, replace) => [
        volume,
        ...averages.map((each) => each.update(volume, replace) ?? NaN),
      ],
    }
  },
  MACD: ([short = 0, long = 0, signal = 0]) => {
    const [fast, slow, average] = [new SeededEma(short), new SeededEma(long), new SeededEma(signal)]
    return {
      update: ({ close }, replace) => {
        const difference = fast.update(close, replace) - slow.update(close, replace)
        const signalNow = Number.isNaN(difference) ? NaN : average.update(difference, replace)
        return [difference, signalNow, difference - signalNow]
      },
    }
  },
  RSI: ([length = 0]) => {
    const index = new RSI(length)
    return { update: ({ close }, replace) => [index.update(close, replace) ?? NaN] }
  },
  KDJ: ([length = 0, ofK = 0, ofD = 0]) => new Kdj(length, ofK, ofD),
}

/** An exponential average that begins with the simple average of its first bars, as published tables have it. */
class SeededEma {
  readonly #seed: SMA
  readonly #average: EMA
  #count = 0

  constructor(length: number) {
    this.#seed = new SMA(length)
    this.#average = new EMA(length)
  }

  update(value: number, replace: boolean): number {
    if (!replace) this.#count += 1
    const { interval } = this.#seed
    if (this.#count > interval) return this.#average.update(value, replace)
    const seed = this.#seed.update(value, replace)
    return seed === null ? NaN : this.#average.update(seed, replace)
  }
}

/** K and D before the first bar that has them, and the position in a range without height. */
const middle = 50

/** Where the close is in the range of some bars, in percent, smoothed twice: K, D, and J = 3 K − 2 D. */
class Kdj implements Computation {
  readonly #length: number
  readonly #k: RMA
  readonly #d: RMA
  readonly #bars: IndicatorBar[] = []

  constructor(length: number, ofK: number, ofD: number) {
    this.#length = length
    this.#k = new RMA(ofK)
    this.#d = new RMA(ofD)
    this.#k.add(middle)
    this.#d.add(middle)
  }

  update(bar: IndicatorBar, replace: boolean): Values {
    const bars = this.#bars
    if (replace) bars.pop()
    bars.push(bar)
    if (bars.length > this.#length) bars.shift()
    if (bars.length < this.#length) return [NaN, NaN, NaN]
    const high = Math.max(...bars.map((each) => each.high))
    const low = Math.min(...bars.map((each) => each.low))
    const position = high === low ? middle : ((bar.close - low) / (high - low)) * 100
    const k = this.#k.update(position, replace)
    const d = this.#d.update(k, replace)
    return [k, d, 3 * k - 2 * d]
  }
}
