import * as z from 'zod/mini'
import { amountMax } from '../../../contract/constants.ts'
import { parseMoney } from '../../../contract/money.ts'
import { money } from '../../../contract/schema.ts'

/** A deposit method in the operator's CONFIG_FILE: where to send money, and how much at a time. */
export const depositMethodSetting = z
  .strictObject({
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
