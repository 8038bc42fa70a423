import { amountMax } from '../../contract/constants.ts'
import { minor } from '../../contract/brand.ts'
import type { Minor } from '../../contract/brand.ts'
import { formatMoney, moneyOf } from '../../contract/money.ts'
import type { DepositMethod } from '../../contract/deposits.ts'
import type { Settings } from '../config.ts'
import type { OperatorSettings } from '../operatorConfig.ts'

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

export type DepositMethodSettings = Pick<Settings, 'mode' | 'currency'> & OperatorSettings<'depositMethods'>

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
