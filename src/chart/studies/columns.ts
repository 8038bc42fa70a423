import type { Candle } from '../../../contract/candles.ts'
import { startStudy } from './computations.ts'
import type { Computation } from './computations.ts'
import { studyRules } from './kinds.ts'
import type { StudyKind } from './kinds.ts'

/** An indicator as a member has it on the chart. */
export type Study = { kind: StudyKind; params: readonly number[] }

/** The values of an indicator at every bar, a column for each line, by the bar's position on the time scale. */
export type StudyColumns = {
  readonly study: Study
  /** NaN where there is none. */
  value: (line: number, bar: number) => number
  /** Computes all again: after a snapshot, and after older bars, which every average depends on. */
  reset: (bars: readonly Candle[]) => void
  /** The newest bar changed, or a bar was added. */
  apply: (bar: Candle, added: boolean) => void
}

const firstCapacity = 512

/** Computes an indicator along with the bars, so that a tick costs one step of it however many bars there are. */
export function createStudyColumns(study: Study): StudyColumns {
  const lines = studyRules[study.kind].lines(study.params).length
  let computation: Computation = startStudy(study.kind, study.params)
  let cells = new Float64Array(firstCapacity * lines)
  let count = 0
  const apply = (bar: Candle, added: boolean): void => {
    const values = computation.update(bar, !added)
    if (added) count += 1
    if (count * lines > cells.length) {
      const grown = new Float64Array(cells.length * 2)
      grown.set(cells)
      cells = grown
    }
    cells.set(values, (count - 1) * lines)
  }
  return {
    study,
    value: (line, bar) => (bar >= 0 && bar < count ? (cells[bar * lines + line] ?? NaN) : NaN),
    reset: (bars) => {
      computation = startStudy(study.kind, study.params)
      count = 0
      for (const bar of bars) apply(bar, true)
    },
    apply,
  }
}
