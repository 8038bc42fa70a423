import { backOfficeRoutes } from '../../../contract/backOffice.ts'
import { freezeReasons } from '../../../contract/freeze.ts'
import { text } from './command.ts'
import type { Command } from './command.ts'

const { members, search, orders, proposals, queues } = backOfficeRoutes
const ofMember = { positionals: ['id'] } as const

/** Verbs of the noun `members` about one member's record and the freeze of the account. */
export const memberCommands: Readonly<Record<string, Command>> = {
  orders: {
    ...ofMember,
    route: members.orders,
    columns: ['no', 'productId', 'direction', 'amount', 'status', 'pnl', 'acceptedAt', 'id'],
  },
  ledger: { ...ofMember, route: members.ledger, columns: ['at', 'type', 'amount', 'balanceAfter', 'ref'] },
  fund: { ...ofMember, route: members.fund },
  sessions: { ...ofMember, route: members.sessions, columns: ['device', 'ip', 'lastSeenAt', 'createdAt'] },
  'end-sessions': { ...ofMember, route: members['end-sessions'] },
  freeze: {
    ...ofMember,
    route: members.freeze,
    options: {
      reason: { ...text('REASON', `one of ${freezeReasons.join(', ')}`), required: true },
      secret: text('yes', 'the law forbids informing the member'),
    },
    body: (input) => ({
      reason: input['reason'],
      ...(input['secret'] !== undefined && { tellMember: input['secret'] !== 'yes' }),
    }),
  },
  'renew-freeze': { ...ofMember, route: members['renew-freeze'] },
  unfreeze: { ...ofMember, route: members.unfreeze },
}

const ofQueue = {
  positionals: ['id', 'item'],
  body: (input: Readonly<Record<string, string | undefined>>) => ({ item: input['item'] }),
} as const

/** Search, orders, the queues, and what one person proposed and another one decides. */
export const recordCommands: Readonly<Record<string, Readonly<Record<string, Command>>>> = {
  search: {
    find: {
      route: search.find,
      positionals: ['text'],
      body: (input) => ({ q: input['text'] }),
      columns: ['kind', 'no', 'account', 'by', 'memberId', 'id'],
    },
  },
  orders: {
    show: { route: orders.show, positionals: ['id'] },
    proof: { route: orders.proof, positionals: ['id'] },
  },
  queues: {
    list: { route: queues.list, columns: ['queue', 'waiting', 'oldestAt', 'claimed', 'mine'] },
    show: {
      route: queues.show,
      positionals: ['id'],
      columns: ['createdAt', 'act', 'no', 'account', 'amount', 'proposedBy', 'proposedAt', 'claim', 'id'],
    },
    next: { route: queues.next, positionals: ['id'] },
    claim: { route: queues.claim, ...ofQueue },
    release: { route: queues.release, ...ofQueue },
  },
  proposals: {
    list: {
      route: proposals.list,
      options: { status: text('STATUS', 'only with this status: open, confirmed, declined or cancelled') },
      query: (input) => ({ status: input['status'] }),
      columns: ['act', 'params', 'proposedBy', 'proposedAt', 'status', 'decidedBy', 'id'],
    },
    confirm: { route: proposals.confirm, positionals: ['id'] },
    decline: {
      route: proposals.decline,
      positionals: ['id'],
      options: { reason: { ...text('TEXT', 'why'), required: true } },
      body: (input) => ({ reason: input['reason'] }),
    },
    cancel: { route: proposals.cancel, positionals: ['id'] },
  },
}
