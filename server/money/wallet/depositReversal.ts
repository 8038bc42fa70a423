import { eq } from 'drizzle-orm'
import { minor } from '../../../contract/units.ts'
import { formatMoney } from '../../../contract/money.ts'
import type { DbTransaction } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/apiError.ts'
import { transactionOf, type Posted } from '../ledger/ledger.ts'
import { deposit, type DepositRow } from '../schema.ts'
import type { DepositsParts } from './depositsParts.ts'

/**
 * Rejects a deposit, whose row is locked, that is credited and waits for a second person. It takes back what is there of
 * it: the rest was lost. Open orders would bring some of the rest back, so they end first.
 * @throws ApiError `CONFLICT` if it does not wait, `OPEN_ORDERS`
 */
export async function reverseCredited(
  { clock, ledger, actLog }: DepositsParts,
  tx: DbTransaction,
  current: DepositRow,
  { reason, actor }: { reason: string; actor: string },
): Promise<{ row: DepositRow; posted: Posted | null }> {
  const { id, no, memberId, amount, decidedBy: creditedBy } = current
  if (!current.awaitsSecond) throw new ApiError('CONFLICT')
  // Whatever spends the money waits from here on, and then finds it gone.
  const { available, stakes } = await ledger.lock(tx, memberId)
  const reversed = Math.min(amount, available)
  if (reversed < amount && stakes > 0) throw new ApiError('OPEN_ORDERS')
  const set = {
    status: 'failed',
    awaitsSecond: false,
    reversed,
    reason,
    decidedAt: clock.now(),
    decidedBy: actor,
    version: current.version + 1,
  } as const
  await tx.update(deposit).set(set).where(eq(deposit.id, id))
  const posted =
    reversed > 0
      ? await ledger.post(tx, transactionOf('deposit_reversed', memberId, reversed, { id, no }))
      : null
  if (reversed > 0 && !posted) throw new Error('The ledger rejected a reversal of a locked balance.')
  await actLog.write(tx, {
    actor,
    act: 'reject',
    subject: { kind: 'deposit', id },
    memberId,
    details: { no, reason, creditedBy, reversed: formatMoney(minor(reversed)) },
  })
  return { row: { ...current, ...set }, posted }
}
