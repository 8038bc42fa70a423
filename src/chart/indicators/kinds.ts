/** The indicators of the chart: over the bars, or each in a pane below. */
export const indicatorKinds = ['MA', 'EMA', 'BOLL', 'VOL', 'MACD', 'RSI', 'KDJ'] as const
export type IndicatorKind = (typeof indicatorKinds)[number]

/** An indicator as a member has it on the chart. */
export type Indicator = { kind: IndicatorKind; params: readonly number[] }

/** How values are written: as a price, as a difference of prices, as a number up to 100, or as a volume. */
export type FigureKind = 'price' | 'difference' | 'percent' | 'volume'

export type IndicatorRules = {
  /** Drawn over the bars, on their price scale. */
  overlay: boolean
  /** What each parameter is unless the member changes it; all are numbers of bars but the last of BOLL. */
  params: readonly number[]
  /** The names of the lines, in the order of their values, as trading screens write them in every language. */
  lines: (params: readonly number[]) => readonly string[]
  /** Its name and parameters come before its lines, whose names do not contain them. */
  titled?: true
  /** Which of its values is drawn as bars from zero instead of as a line. */
  bars?: number
  /** Levels that are always visible in its pane. */
  guides?: readonly number[]
  figures: FigureKind
}

const eachAs =
  (name: string) =>
  (params: readonly number[]): readonly string[] =>
    params.map((length) => `${name}${length}`)

/** In the order and with the parameters that trading screens have by default. */
export const indicatorRules: Record<IndicatorKind, IndicatorRules> = {
  MA: { overlay: true, params: [5, 10, 20], lines: eachAs('MA'), figures: 'price' },
  EMA: { overlay: true, params: [12, 26], lines: eachAs('EMA'), figures: 'price' },
  BOLL: {
    overlay: true,
    params: [20, 2],
    titled: true,
    lines: () => ['MID', 'UP', 'LOW'],
    figures: 'price',
  },
  VOL: {
    overlay: false,
    params: [5, 10],
    lines: (params) => ['VOL', ...eachAs('MA')(params)],
    bars: 0,
    figures: 'volume',
  },
  MACD: {
    overlay: false,
    params: [12, 26, 9],
    titled: true,
    lines: () => ['DIF', 'DEA', 'MACD'],
    bars: 2,
    figures: 'difference',
  },
  RSI: { overlay: false, params: [14], lines: eachAs('RSI'), guides: [30, 70], figures: 'percent' },
  KDJ: {
    overlay: false,
    params: [9, 3, 3],
    titled: true,
    lines: () => ['K', 'D', 'J'],
    guides: [20, 80],
    figures: 'percent',
  },
}

/** Whether it is drawn over the bars, not in a pane of its own. */
export const isOverlay = (kind: IndicatorKind): boolean => indicatorRules[kind].overlay

/** More bars than a page of history has would leave most of the chart without a value. */
export const barsMax = 500
export const barsMin = 2
export const deviationsMax = 10

/** Whether a number can be a parameter: whole numbers of at least two bars, and deviations above zero. */
export const isParam = (kind: IndicatorKind, i: number, value: number): boolean =>
  isDeviations(kind, i)
    ? value > 0 && value <= deviationsMax
    : Number.isInteger(value) && value >= barsMin && value <= barsMax

/** The one parameter that is no number of bars: how many standard deviations the bands are from their middle. */
export const isDeviations = (kind: IndicatorKind, i: number): boolean => kind === 'BOLL' && i === 1

/** MACD is the difference of a shorter and a longer average. */
export const areOrdered = (kind: IndicatorKind, [short = 0, long = 0]: readonly number[]): boolean =>
  kind !== 'MACD' || short < long

/** Whether these can be the parameters of an indicator. */
export const areParams = (kind: IndicatorKind, params: readonly number[]): boolean =>
  params.length === indicatorRules[kind].params.length &&
  params.every((value, i) => isParam(kind, i, value)) &&
  areOrdered(kind, params)
