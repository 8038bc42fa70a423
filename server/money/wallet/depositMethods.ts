import { amountMax } from '../../../contract/constants.ts'
import { minor, type Minor } from '../../../contract/units.ts'
import { formatMoney, moneyOf } from '../../../contract/money.ts'
import type { DepositMethod } from '../../../contract/deposits.ts'
import type { MoneyConfig, MoneySettings } from '../settings.ts'
import type { OperatorSettings } from '../../platform/settings.ts'

/** Practice money is free: one method credits it at once, the other after a review, as a trial of live deposits. */
const practiceMethods = (currency: string): DepositMethod[] => {
  const instant: DepositMethod = {
    id: 'practice',
    kind: 'practice',
    reviewed: false,
    currency,
    instructions: {},
    min: formatMoney(minor(100)),
    max: formatMoney(amountMax),
  }
  return [instant, { ...instant, id: 'practice-review', reviewed: true }]
}

export type DepositMethods = {
  list(): DepositMethod[]
  /** Undefined if there is no such method. */
  find(id: string): { reviewed: boolean; min: Minor; max: Minor } | undefined
}

export type DepositMethodSettings = Pick<MoneySettings, 'mode' | 'currency'> &
  OperatorSettings<MoneyConfig, 'depositMethods'>

export function createDepositMethods({
  mode,
  currency,
  operatorConfig,
}: DepositMethodSettings): DepositMethods {
  const methods: DepositMethod[] =
    mode === 'practice'
      ? practiceMethods(currency)
      : operatorConfig.depositMethods.map((method) => ({ ...method, reviewed: true }))
  return {
    list: () => methods,
    find: (id) => {
      const method = methods.find((candidate) => candidate.id === id)
      return method && { reviewed: method.reviewed, min: moneyOf(method.min), max: moneyOf(method.max) }
    },
  }
}
