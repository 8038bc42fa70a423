/** The indicators of the chart: over the bars, or each in a pane below. */
export const studyKinds = ['MA', 'EMA', 'BOLL', 'VOL', 'MACD', 'RSI', 'KDJ'] as const
export type StudyKind = (typeof studyKinds)[number]

export type StudyRules = {
  /** Drawn over the bars, on their price scale. */
  overlay: boolean
  /** What each parameter is unless the member changes it; all are numbers of bars but the last of BOLL. */
  params: readonly number[]
  /** The names of the lines, in the order of their values. */
  lines: (params: readonly number[]) => readonly string[]
}

const each = (params: readonly number[]): readonly string[] => params.map(String)

/** In the order and with the parameters that trading screens have by default. */
export const studyRules: Record<StudyKind, StudyRules> = {
  MA: { overlay: true, params: [5, 10, 20], lines: each },
  EMA: { overlay: true, params: [12, 26], lines: each },
  BOLL: { overlay: true, params: [20, 2], lines: () => ['MID', 'UP', 'LOW'] },
  VOL: { overlay: false, params: [5, 10], lines: (params) => ['VOL', ...each(params)] },
  MACD: { overlay: false, params: [12, 26, 9], lines: () => ['DIF', 'DEA', 'MACD'] },
  RSI: { overlay: false, params: [14], lines: each },
  KDJ: { overlay: false, params: [9, 3, 3], lines: () => ['K', 'D', 'J'] },
}

/** More bars than a page of history has would leave most of the chart without a value. */
const paramMax = 500

/** Whether these can be the parameters of an indicator: as many as it has, whole numbers of at least two bars. */
export function areParams(kind: StudyKind, params: readonly number[]): boolean {
  const { length } = studyRules[kind].params
  const isValid = (value: number, i: number): boolean =>
    kind === 'BOLL' && i === 1
      ? value > 0 && value <= 10
      : Number.isInteger(value) && value >= 2 && value <= paramMax
  // The shorter average of MACD comes first.
  const [short = 0, long = 0] = params
  return params.length === length && params.every(isValid) && (kind !== 'MACD' || short < long)
}
