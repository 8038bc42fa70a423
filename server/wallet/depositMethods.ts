import * as z from 'zod/mini'
import { amountMax } from '../../contract/constants.ts'
import { minor } from '../../contract/brand.ts'
import type { Minor } from '../../contract/brand.ts'
import { formatMoney, moneyOf, parseMoney } from '../../contract/money.ts'
import { money } from '../../contract/schema.ts'
import type { DepositMethod } from '../../contract/deposits.ts'

/** A deposit method in the operator's CONFIG_FILE: where to send money, and how much at a time. */
export const depositMethodSetting = z
  .object({
    id: z.string().check(z.regex(/^[\w-]{1,64}$/, { error: 'must be 1 to 64 letters, digits, _ or -' })),
    kind: z.enum(['bank', 'crypto']),
    currency: z.string().check(z.minLength(1), z.maxLength(16)),
    /** Shown to the member line by line: bank, account, network, address. */
    instructions: z.record(z.string().check(z.maxLength(60)), z.string().check(z.maxLength(500))),
    min: money,
    max: money,
  })
  .check(
    z.refine(({ min, max }) => isAmountRange(min, max), { error: 'must have 0.01 ≤ min ≤ max ≤ 999999.00' }),
  )
export type DepositMethodSetting = z.infer<typeof depositMethodSetting>

function isAmountRange(min: string, max: string): boolean {
  const [low, high] = [parseMoney(min) ?? 0, parseMoney(max) ?? 0]
  return low > 0 && low <= high && high <= amountMax
}

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

export function createDepositMethods(settings: {
  practice: boolean
  currency: string
  methods: readonly DepositMethodSetting[]
}): DepositMethods {
  const methods: DepositMethod[] = settings.practice
    ? [practiceMethod(settings.currency)]
    : settings.methods.map((method) => ({ ...method }))
  return {
    list: () => methods,
    find: (id) => {
      const method = methods.find((candidate) => candidate.id === id)
      return method && { kind: method.kind, min: moneyOf(method.min), max: moneyOf(method.max) }
    },
  }
}
