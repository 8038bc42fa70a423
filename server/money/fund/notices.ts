import { minor } from '../../../contract/units.ts'
import { formatMoney } from '../../../contract/money.ts'
import type { DbTransaction } from '../../platform/db/database.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Messages } from '../../notices/index.ts'
import type { DayRoll } from './dayRoll.ts'

const link = 'pages/money/money'

/** Writes the messages about a day roll. Returns the function that notifies the member; call it after the commit. */
export async function recordDayRoll(
  { ledger, messages }: { ledger: Ledger; messages: Pick<Messages, 'send'> },
  tx: DbTransaction,
  { account: { memberId }, posted, confirmed, paid }: DayRoll,
): Promise<() => void> {
  const params = (units: number) => ({ amount: formatMoney(minor(units)) })
  const notify = await messages.send(
    tx,
    ...confirmed.map((units) => ({ memberId, key: 'fundConfirmed', params: params(units), link }) as const),
    ...paid.map((units) => ({ memberId, key: 'fundPaid', params: params(units), link }) as const),
  )
  return () => {
    ledger.publish(memberId, ...posted)
    notify()
  }
}
