import type { TFunction } from 'i18next'
import { amountText, type DecimalMark } from '../../../contract/amount.ts'
import { minor } from '../../../contract/units.ts'

const example = minor(100_050)

/** That an amount can be read in two ways or in none, with an example as the member writes numbers. */
export const unclearAmountText = (t: TFunction, decimalMark: DecimalMark): string =>
  t('common.amountUnclear', { example: amountText(example, decimalMark) })
