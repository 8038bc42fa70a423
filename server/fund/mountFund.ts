import type { FastifyInstance } from 'fastify'
import { fundRoutes } from '../../contract/fund.ts'
import type { Db } from '../db/database.ts'
import { mount } from '../http/mount.ts'
import { mountKeyed } from '../idempotency/keyed.ts'
import type { Keys } from '../idempotency/keys.ts'
import type { PasswordGuard } from '../members/passwordGuard.ts'
import { amountOf, smallestAmount } from './amounts.ts'
import type { Fund } from './fund.ts'
import { listEarnings, listLots, listRates, listRecords } from './lists.ts'

export type FundMount = { db: Db; keys: Keys; fund: Fund; guard: PasswordGuard }

/** The calls of the balance fund. */
export function mountFund(app: FastifyInstance, { db, keys, fund, guard }: FundMount): void {
  mount(app, fundRoutes.fund, ({ member }) => fund.view(member.memberId))

  mountKeyed(app, { db, keys }, fundRoutes.fundDeposit, (tx, { member, body }) =>
    fund.deposit(tx, member.memberId, amountOf(body.amount, fund.rules.minDeposit)),
  )
  mountKeyed(
    app,
    { db, keys },
    fundRoutes.fundWithdraw,
    (tx, { member, body: { amount, mode } }) =>
      fund.withdraw(tx, member.memberId, { amount: amountOf(amount, smallestAmount), mode }),
    async ({ member, body }) => {
      amountOf(body.amount, smallestAmount)
      await guard.demand(member.memberId, body.transactionPassword)
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
