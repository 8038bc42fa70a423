import { backOfficeRoutes } from '../../contract/backOffice.ts'
import { amountMax } from '../../contract/constants.ts'
import { formatMoney, moneyOf } from '../../contract/money.ts'
import { hourMs } from '../../contract/time.ts'
import type { Settings } from '../config.ts'
import type { OperatorSettings } from '../operatorConfig.ts'
import type { Wallet } from '../wallet/wallet.ts'
import { personOf } from './acts.ts'
import type { Acts } from './acts.ts'
import type { BackOfficeCall } from './backOfficeCall.ts'
import type { WithdrawalThreshold } from './withdrawalThreshold.ts'

export type LimitParts = {
  acts: Pick<Acts, 'setWithdrawalThreshold'>
  wallet: Pick<Wallet, 'deposits'>
  withdrawalThreshold: Pick<WithdrawalThreshold, 'read'>
  settings: Pick<Settings, 'currency' | 'withdrawalRestMs'> & OperatorSettings<'fund'>
}

/** The limits in force. All but one come with the start, from the operator's files; none is one member's. */
export function mountLimits(
  call: BackOfficeCall,
  { acts, wallet, withdrawalThreshold, settings }: LimitParts,
): void {
  const { currency, withdrawalRestMs } = settings
  const { minDeposit, depositsPerDay, withdrawalsPerDay, fastCapPerDay } = settings.operatorConfig.fund
  const show = async () => ({
    currency,
    withdrawals: {
      max: formatMoney(amountMax),
      twoPersonsAbove: formatMoney(await withdrawalThreshold.read()),
      restHours: withdrawalRestMs / hourMs,
    },
    deposits: wallet.deposits
      .methods()
      .map(({ id, kind, currency, min, max }) => ({ id, kind, currency, min, max })),
    fund: { minDeposit, depositsPerDay, withdrawalsPerDay, fastCapPerDay },
  })
  call(backOfficeRoutes.limits.show, show)
  call(backOfficeRoutes.limits.withdrawals, async (context) => {
    const twoPersonsAbove = formatMoney(moneyOf(context.body.twoPersonsAbove))
    const request = { subject: { kind: 'limit', id: 'withdrawals' }, params: { twoPersonsAbove } }
    const { proposal } = await acts.setWithdrawalThreshold(request, personOf(context))
    return { ...(await show()), proposal }
  })
}
