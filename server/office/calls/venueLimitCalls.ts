import { officeRoutes } from '../../../contract/office/routes.ts'
import { amountMax } from '../../../contract/constants.ts'
import { formatMoney, moneyOf } from '../../../contract/money.ts'
import { hourMs } from '../../../contract/time.ts'
import type { Wallet } from '../../money/index.ts'
import { personOf, type Acts } from './acts.ts'
import type { OfficeCall } from './officeCall.ts'
import type { DecisionLimits } from './decisionLimits.ts'
import type { OfficeConfig, OfficeSettings } from '../settings.ts'
import type { OperatorSettings } from '../../platform/settings.ts'

export type VenueLimitParts = {
  acts: Pick<Acts, 'setWithdrawalThreshold'>
  wallet: Pick<Wallet, 'deposits'>
  decisionLimits: Pick<DecisionLimits, 'read' | 'change'>
  settings: Pick<OfficeSettings, 'currency' | 'withdrawalRestMs'> & OperatorSettings<OfficeConfig, 'fund'>
}

/** The limits in force. All but one come with the start, from the operator's files; none is one member's. */
export function mountVenueLimits(
  call: OfficeCall,
  { acts, wallet, decisionLimits, settings }: VenueLimitParts,
): void {
  const { currency, withdrawalRestMs } = settings
  const { minDeposit, depositsPerDay, withdrawalsPerDay, fastCapPerDay } = settings.operatorConfig.fund
  const show = async () => {
    const { above, inAll, inAllTimes } = await decisionLimits.read()
    return {
      currency,
      withdrawals: {
        max: formatMoney(amountMax),
        twoPersonsAbove: formatMoney(above),
        twoPersonsAboveInAll: formatMoney(inAll),
        inAllTimes,
        restHours: withdrawalRestMs / hourMs,
      },
      deposits: wallet.deposits
        .methods()
        .map(({ id, kind, currency, min, max }) => ({ id, kind, currency, min, max })),
      fund: { minDeposit, depositsPerDay, withdrawalsPerDay, fastCapPerDay },
    }
  }
  call(officeRoutes.limits.show, show)
  call(officeRoutes.limits.withdrawals, async (context) => {
    const params = await decisionLimits.change(moneyOf(context.body.twoPersonsAbove))
    const request = { subject: { kind: 'limit', id: 'withdrawals' }, params }
    const { proposal } = await acts.setWithdrawalThreshold(request, personOf(context))
    return { ...(await show()), proposal }
  })
}
