import type { Message, ServiceMessage } from '../../contract/content.ts'
import type { Deposit } from '../../contract/deposits.ts'
import type { LedgerEntry } from '../../contract/ledger.ts'
import type { LoginEvent } from '../../contract/logins.ts'
import type { Order } from '../../contract/orders.ts'
import type { Withdrawal } from '../../contract/withdrawals.ts'
import type { PagedList, PageRequest } from '../paging.ts'
import { ownList } from './ownData.ts'
import type { OwnList } from './ownData.ts'

type Read<T> = (memberId: string, page: PageRequest) => Promise<PagedList<T>>
export type OwnReads = {
  orders: Read<Order>
  ledger: Read<LedgerEntry>
  deposits: Read<Deposit>
  withdrawals: Read<Withdrawal>
  messages: Read<Message>
  service: Read<ServiceMessage>
  logins: Read<LoginEvent>
}

/** What the archive has besides the profile, with the columns of each CSV file. */
export function ownListsOf(reads: OwnReads): readonly OwnList[] {
  return [
    ownList<Order>({
      name: 'orders',
      list: reads.orders,
      at: ({ acceptedAt }) => acceptedAt,
      columns: [
        'no',
        'productId',
        'direction',
        'amount',
        'seconds',
        'rateBp',
        'status',
        'acceptedAt',
        'closeAt',
        'entry',
        'exit',
        'settledAt',
        'payout',
        'pnl',
        'reason',
        'id',
      ],
    }),
    ownList<LedgerEntry>({
      name: 'ledger',
      list: reads.ledger,
      at: ({ at }) => at,
      columns: ['at', 'type', 'amount', 'balanceAfter', 'ref', 'id'],
    }),
    ownList<Deposit>({
      name: 'deposits',
      list: reads.deposits,
      at: ({ createdAt }) => createdAt,
      columns: ['no', 'amount', 'methodId', 'status', 'reason', 'createdAt', 'decidedAt', 'id'],
    }),
    ownList<Withdrawal>({
      name: 'withdrawals',
      list: reads.withdrawals,
      at: ({ createdAt }) => createdAt,
      columns: ['no', 'amount', 'account', 'status', 'reason', 'createdAt', 'timeline', 'id'],
    }),
    ownList<Message>({
      name: 'messages',
      list: reads.messages,
      at: ({ at }) => at,
      columns: ['at', 'category', 'key', 'params', 'title', 'body', 'read', 'id'],
    }),
    ownList<ServiceMessage>({
      name: 'service',
      list: reads.service,
      at: ({ at }) => at,
      columns: ['at', 'from', 'body', 'uploadId', 'read', 'id'],
    }),
    ownList<LoginEvent>({
      name: 'logins',
      list: reads.logins,
      at: ({ at }) => at,
      columns: ['at', 'device', 'network', 'method', 'result', 'known', 'deniedAt', 'id'],
    }),
  ]
}
