import { amountMax } from '../../contract/constants.ts'
import { minor } from '../../contract/brand.ts'
import type { Minor } from '../../contract/brand.ts'
import { formatMoney, moneyOf } from '../../contract/money.ts'
import type { DepositMethod } from '../../contract/deposits.ts'
import type { Settings } from '../config.ts'
import type { OperatorSettings } from '../operatorConfig.ts'

/** Practice money is free and credited at once; in practice mode it is the only method. */
const practiceMethod = (currency: string): DepositMethod => ({
  id: 'practice',
  kind: 'practice',
  currency,
  instructions: {},
  min: formatMoney(minor(100)),
  max: formatMoney(amountMax),
})

export type DepositMethods = {
  list(): DepositMethod[]
  /** Undefined if there is no such method. */
  find(id: string): { kind: DepositMethod['kind']; min: Minor; max: Minor } | undefined
}

export type DepositMethodSettings = Pick<Settings, 'mode' | 'currency'> & OperatorSettings<'depositMethods'>

export function createDepositMethods({
  mode,
  currency,
  operatorConfig,
}: DepositMethodSettings): DepositMethods {
  const methods: DepositMethod[] =
    mode === 'practice'
      ? [practiceMethod(currency)]
      : operatorConfig.depositMethods.map((method) => ({ ...method }))
  return {
    list: () => methods,
    find: (id) => {
      const method = methods.find((candidate) => candidate.id === id)
      return method && { kind: method.kind, min: moneyOf(method.min), max: moneyOf(method.max) }
    },
  }
}
