import { officeRoutes } from '../../../contract/office/routes.ts'
import { freezeReasons } from '../../../contract/freeze.ts'
import { queueOrders, queueParts } from '../../../contract/office/queues.ts'
import { text, type Command, type CommandInput } from './command.ts'

const { members, search, orders, proposals, queues } = officeRoutes
const ofMember = { positionals: ['id'] } as const

/** Verbs of the noun `members` about one member's record and the freeze of the account. */
export const memberCommands: Readonly<Record<string, Command>> = {
  facts: { ...ofMember, route: members.facts },
  orders: {
    ...ofMember,
    route: members.orders,
    columns: ['no', 'productId', 'direction', 'amount', 'status', 'pnl', 'acceptedAt', 'id'],
  },
  ledger: { ...ofMember, route: members.ledger, columns: ['at', 'type', 'amount', 'balanceAfter', 'ref'] },
  fund: { ...ofMember, route: members.fund },
  sessions: { ...ofMember, route: members.sessions, columns: ['device', 'ip', 'lastSeenAt', 'createdAt'] },
  'end-sessions': { ...ofMember, route: members['end-sessions'] },
  identity: { ...ofMember, route: members.identity },
  timeline: {
    ...ofMember,
    route: members.timeline,
    columns: ['at', 'kind', 'what', 'no', 'amount', 'status', 'by', 'title'],
  },
  notes: { ...ofMember, route: members.notes, columns: ['at', 'by', 'body'] },
  note: {
    positionals: ['id', 'body?'],
    route: members.note,
    options: { body: text('TEXT', 'the note, if it does not follow the ID') },
    body: (input) => ({ body: input['body'] }),
  },
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

/** Which items of a queue, and in which order. */
const wantedItems = {
  options: {
    order: text('ORDER', `one of ${queueOrders.join(', ')}; in turn if omitted`),
    from: text('AMOUNT', 'only items of at least this amount, such as 100.00'),
    waited: text('MINUTES', 'only items that wait at least this long'),
    show: text(
      'PART',
      `one of ${queueParts.join(', ')}: what nobody holds, the own claims, or proposals of others`,
    ),
    picture: text('with|without', 'only items with or without a picture'),
    method: text('METHOD', 'only this deposit method, or withdrawals to bank or crypto'),
    language: text('CODE', 'only members who use the app in this language'),
  },
  query: ({ order, from, waited, show, picture, method, language }: CommandInput) => ({
    order,
    from,
    waited,
    show,
    picture,
    method,
    language,
  }),
}

/** Search, orders, the queues, and what one person proposed and another one decides. */
export const lookupCommands: Readonly<Record<string, Readonly<Record<string, Command>>>> = {
  search: {
    find: {
      route: search.find,
      positionals: ['text'],
      body: (input) => ({ q: input['text'] }),
      columns: ['kind', 'no', 'account', 'name', 'status', 'by', 'waiting', 'memberId', 'id'],
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
      ...wantedItems,
      columns: [
        'createdAt',
        'act',
        'no',
        'account',
        'amount',
        'method',
        'proposedBy',
        'proposedAt',
        'claim',
        'id',
      ],
    },
    next: { route: queues.next, positionals: ['id'], ...wantedItems },
    decided: {
      route: queues.decided,
      positionals: ['id'],
      columns: ['at', 'act', 'no', 'account', 'amount', 'subject'],
    },
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
