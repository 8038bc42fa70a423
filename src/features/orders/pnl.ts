import { minor, type Minor } from '../../../contract/units.ts'
import { moneyOf } from '../../../contract/money.ts'
import type { Order } from '../../../streams/index.ts'
import { noValue, type Format } from '../../text/format.ts'

/** The sign of a P&L, for its colour; `none` if it is not known. */
export type Tone = 'up' | 'down' | 'level' | 'none'

export const toneOf = (pnl: number | undefined): Tone =>
  pnl === undefined ? 'none' : pnl === 0 ? 'level' : pnl > 0 ? 'up' : 'down'

export const pnlText = (format: Format, pnl: number | undefined): string =>
  pnl === undefined ? noValue : format.money(minor(pnl), 'always')

/** The P&L of ended orders together. */
export const totalPnl = (orders: readonly Pick<Order, 'pnl'>[]): Minor =>
  minor(orders.reduce((sum, { pnl }) => sum + (pnl === null ? 0 : moneyOf(pnl)), 0))
