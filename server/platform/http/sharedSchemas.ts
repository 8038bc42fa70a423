import type * as z from 'zod/mini'
import { article, message, serviceMessage } from '../../../contract/content.ts'
import { deposit } from '../../../contract/deposits.ts'
import { fund, fundRecord } from '../../../contract/fund.ts'
import { assets, ledgerEntry } from '../../../contract/ledger.ts'
import { user } from '../../../contract/member.ts'
import { order, terms } from '../../../contract/orders.ts'
import {
  duration,
  gap,
  head,
  interruptedOutcomes,
  product,
  restTick,
  source,
} from '../../../contract/products.ts'
import { withdrawal, withdrawalAccount } from '../../../contract/withdrawals.ts'

/** The schemas that more than one call or event uses, by their names in OpenAPI and AsyncAPI. */
export const sharedSchemas: Readonly<Record<string, z.ZodMiniType>> = {
  Article: article,
  Assets: assets,
  Deposit: deposit,
  Duration: duration,
  Fund: fund,
  FundRecord: fundRecord,
  Gap: gap,
  Head: head,
  InterruptedOutcomes: interruptedOutcomes,
  LedgerEntry: ledgerEntry,
  Message: message,
  Order: order,
  Product: product,
  ServiceMessage: serviceMessage,
  Source: source,
  Terms: terms,
  Tick: restTick,
  User: user,
  Withdrawal: withdrawal,
  WithdrawalAccount: withdrawalAccount,
}
