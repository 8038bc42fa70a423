import type { OperatorConfig } from '../../server/start/operatorConfig.ts'

/** For members who make more requests than a queue takes. */
export const manyRequests: OperatorConfig['requestLimits'] = {
  openDeposits: 10_000,
  depositsPerDay: 10_000,
  openWithdrawals: 10_000,
  withdrawalsPerDay: 10_000,
}
