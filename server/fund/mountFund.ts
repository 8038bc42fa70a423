import type { FastifyInstance } from 'fastify'
import { fundRoutes } from '../../contract/fund.ts'
import type { Db } from '../db/database.ts'
import { mount } from '../http/mount.ts'
import { mountIdempotent } from '../idempotency/idempotentRoute.ts'
import type { IdempotencyKeys } from '../idempotency/idempotencyKeys.ts'
import type { PasswordGuard } from '../members/passwordGuard.ts'
import { parseFundAmount, smallestAmount } from './amounts.ts'
import type { Fund } from './fund.ts'
import { listEarnings, listLots, listRates, listRecords } from './lists.ts'

export type FundMount = { db: Db; idempotencyKeys: IdempotencyKeys; fund: Fund; guard: PasswordGuard }

/** The routes of the balance fund. */
export function mountFund(app: FastifyInstance, { db, idempotencyKeys, fund, guard }: FundMount): void {
  mount(app, fundRoutes.fund, ({ member }) => fund.view(member.memberId))

  mountIdempotent(app, { db, idempotencyKeys }, fundRoutes.fundDeposit, (tx, { member, body }) =>
    fund.deposit(tx, member.memberId, parseFundAmount(body.amount, fund.rules.minDeposit)),
  )
  mountIdempotent(
    app,
    { db, idempotencyKeys },
    fundRoutes.fundWithdraw,
    (tx, { member, body: { amount, mode } }) =>
      fund.withdraw(tx, member.memberId, { amount: parseFundAmount(amount, smallestAmount), mode }),
    async ({ member, body }) => {
      parseFundAmount(body.amount, smallestAmount)
      await guard.requireTransactionPassword(member.memberId, body.transactionPassword)
    },
  )

  mount(app, fundRoutes.fundLots, async ({ member, query }) => {
    await fund.catchUp(member.memberId)
    return listLots({ db, zone: fund.rules.zone }, member.memberId, query)
  })
  mount(app, fundRoutes.fundRecords, async ({ member, query }) => {
    await fund.catchUp(member.memberId)
    return listRecords({ db, zone: fund.rules.zone }, member.memberId, query)
  })
  mount(app, fundRoutes.fundEarnings, async ({ member, query }) => {
    await fund.catchUp(member.memberId)
    return listEarnings(db, member.memberId, query)
  })
  mount(app, fundRoutes.fundRates, ({ query }) =>
    listRates({ db, rates: fund.rates, today: fund.today() }, query),
  )
  mount(app, fundRoutes.fundRules, async () => fund.rules)
}
