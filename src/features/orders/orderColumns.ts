import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { moneyOf } from '../../../contract/money.ts'
import type { Order } from '../../../streams/index.ts'
import { useLanguage } from '../../hooks/useFormat.ts'
import { figureColumn, textColumn, type SortColumns } from '../lists/sorting.ts'
import { resultText } from './orderLabels.ts'

/** The columns by which orders can be sorted. An order without a P&L is below the smallest. */
export function useOrderColumns(codeOf: (productId: string) => string): SortColumns<Order> {
  const { t } = useTranslation()
  const language = useLanguage()
  return useMemo(
    () => ({
      product: textColumn(language, ({ productId }) => codeOf(productId)),
      amount: figureColumn(({ amount }) => moneyOf(amount)),
      held: figureColumn(({ seconds }) => seconds),
      result: textColumn(language, (order) => resultText(t, order)),
      pnl: figureColumn(({ pnl }) => (pnl === null ? Number.MIN_SAFE_INTEGER : moneyOf(pnl))),
    }),
    [t, language, codeOf],
  )
}
