import { minor } from '../../../contract/brand.ts'
import type { Format } from '../../format.ts'
import { noValue } from '../../format.ts'

/** The sign of a P&L, for its colour; `none` if it is not known. */
export type Tone = 'up' | 'down' | 'level' | 'none'

export const toneOf = (pnl: number | undefined): Tone =>
  pnl === undefined ? 'none' : pnl === 0 ? 'level' : pnl > 0 ? 'up' : 'down'

export const pnlText = (format: Format, pnl: number | undefined): string =>
  pnl === undefined ? noValue : format.money(minor(pnl), 'always')
