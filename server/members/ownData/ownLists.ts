import type { User } from '../../../contract/member.ts'
import type { PagedList, PageRequest } from '../../platform/paging.ts'
import { isoTime } from '../../platform/csv.ts'
import type { Fund, Ledger, SelfLimitPolicy, Wallet } from '../../money/index.ts'
import type { LoginHistory } from '../accounts/loginHistory.ts'
import type { Sessions } from '../accounts/sessions.ts'
import type { Messages } from '../../notices/index.ts'
import type { Principal } from '../../platform/ports.ts'
import type { PriceAlerts, Trading } from '../../trading/index.ts'
import type { SecondFactors } from '../secondFactor/secondFactor.ts'
import type { Service } from '../service/service.ts'
import type { Verifications } from '../verification/verification.ts'

/** A value as JSON has it; in CSV a value with parts is its JSON text. */
export type OwnValue = string | number | boolean | null | object
/** A row as members read it: without ids that say nothing to them, and times as ISO 8601. */
export type OwnRow = Readonly<Record<string, OwnValue>>

/** A list of what a member has, newest first. */
export type OwnList = {
  /** Of its two files, without the ending. */
  name: string
  columns: readonly string[]
  page(principal: Principal, page: PageRequest): Promise<PagedList<OwnRow>>
}

export type OwnReads = {
  user(memberId: string): Promise<User>
  trading: Pick<Trading, 'list'>
  priceAlerts: Pick<PriceAlerts, 'list'>
  ledger: Pick<Ledger, 'assets' | 'entries'>
  fund: Pick<Fund, 'records' | 'earnings'>
  wallet: Wallet
  messages: Pick<Messages, 'list' | 'mutes'>
  service: Pick<Service, 'peek'>
  sessions: Pick<Sessions, 'list'>
  loginHistory: Pick<LoginHistory, 'list'>
  secondFactors: SecondFactors
  verifications: Pick<Verifications, 'show'>
  selfLimits: Pick<SelfLimitPolicy, 'show'>
}

/** What the archive has besides the profile. */
export function ownListsOf(reads: OwnReads): readonly OwnList[] {
  const { fund, ledger, wallet, messages, service, sessions, loginHistory, secondFactors } = reads
  return [
    ordersList(reads),
    list('ledger', ({ memberId }, page) => ledger.entries(memberId, {}, page), {
      at: ({ at }) => isoTime(at),
      type: ({ type }) => type,
      amount: ({ amount }) => amount,
      balanceAfter: ({ balanceAfter }) => balanceAfter,
      held: ({ held }) => held,
      fund: ({ fund }) => fund,
      no: ({ ref }) => ref.no,
      productId: ({ ref }) => ref.productId,
    }),
    list('fund-record', ({ memberId }, page) => fund.records(memberId, page), {
      at: ({ at }) => isoTime(at),
      kind: ({ kind }) => kind,
      mode: ({ mode }) => mode,
      amount: ({ amount }) => amount,
      status: ({ status }) => status,
      onDay: ({ onDay }) => onDay,
    }),
    list('fund-earnings', ({ memberId }, page) => fund.earnings(memberId, page), {
      onDay: ({ on }) => on,
      amount: ({ amount }) => amount,
      confirmed: ({ confirmed }) => confirmed,
      per10k: ({ per10k }) => per10k,
    }),
    ...transferLists(wallet),
    alertsList(reads),
    list('messages', ({ memberId }, page) => messages.list(memberId, page), {
      at: ({ at }) => isoTime(at),
      category: ({ category }) => category,
      key: ({ key }) => key,
      params: ({ params }) => params,
      title: ({ title }) => title,
      body: ({ body }) => body,
      read: ({ read }) => read,
    }),
    list('customer-service', ({ memberId }, page) => service.peek(memberId, page), {
      at: ({ at }) => isoTime(at),
      from: ({ from }) => from,
      body: ({ body }) => body,
      picture: ({ uploadId }) => uploadId !== null,
      read: ({ read }) => read,
    }),
    list('logins', ({ memberId }, page) => loginHistory.list(memberId, page), {
      at: ({ at }) => isoTime(at),
      device: ({ device }) => device,
      network: ({ network }) => network,
      method: ({ method }) => method,
      result: ({ result }) => result,
      known: ({ known }) => known,
      deniedAt: ({ deniedAt }) => isoTime(deniedAt),
    }),
    list('devices', async (principal) => onePage(await sessions.list(principal)), {
      device: ({ device }) => device,
      ip: ({ ip }) => ip,
      createdAt: ({ createdAt }) => isoTime(createdAt),
      lastSeenAt: ({ lastSeenAt }) => isoTime(lastSeenAt),
      current: ({ current }) => current,
    }),
    list('passkeys', async ({ memberId }) => onePage((await secondFactors.changes.view(memberId)).passkeys), {
      name: ({ name }) => name,
      createdAt: ({ createdAt }) => isoTime(createdAt),
      lastUsedAt: ({ lastUsedAt }) => isoTime(lastUsedAt),
    }),
  ]
}

/** The profile, with what is there once. Phone and withdrawal account are masked as on the pages. */
export async function ownProfile(reads: OwnReads, memberId: string): Promise<OwnRow> {
  const { id: _id, hasWithdrawalAccount: _bound, ...user } = await reads.user(memberId)
  const { version: _version, ...assets } = await reads.ledger.assets(memberId)
  const verification = await reads.verifications.show(memberId)
  const account = await reads.wallet.accounts.bound(memberId)
  const factors = await reads.secondFactors.changes.view(memberId)
  const { active } = await reads.selfLimits.show(memberId)
  const { muted } = await reads.messages.mutes(memberId)
  const { id: _accountId, boundAt = null, ...details } = account ?? {}
  return {
    ...user,
    verificationSubmittedAt: isoTime(verification.submittedAt),
    verificationDecidedAt: isoTime(verification.decidedAt),
    verificationReason: verification.reason,
    ...assets,
    withdrawalAccount: account && { ...details, boundAt: isoTime(boundAt) },
    authenticatorAppSince: factors.totp && isoTime(factors.totp.addedAt),
    recoveryCodesLeft: factors.recoveryCodesLeft,
    mutedMessages: muted,
    limits: { ...active, excludedUntil: isoTime(active.excludedUntil) },
  }
}

function ordersList({ trading }: OwnReads): OwnList {
  return list('orders', ({ memberId }, page) => trading.list(memberId, {}, page), {
    no: ({ no }) => no,
    productId: ({ productId }) => productId,
    direction: ({ direction }) => direction,
    amount: ({ amount }) => amount,
    seconds: ({ seconds }) => seconds,
    rateBp: ({ rateBp }) => rateBp,
    status: ({ status }) => status,
    acceptedAt: ({ acceptedAt }) => isoTime(acceptedAt),
    entryAt: ({ entry }) => isoTime(entry?.at ?? null),
    entryPrice: ({ entry }) => entry?.price ?? null,
    closeAt: ({ closeAt }) => isoTime(closeAt),
    exitPrice: ({ exit }) => exit && ('price' in exit ? exit.price : exit.value),
    settledAt: ({ settledAt }) => isoTime(settledAt),
    payout: ({ payout }) => payout,
    pnl: ({ pnl }) => pnl,
    reason: ({ reason }) => reason,
  })
}

function alertsList({ priceAlerts }: OwnReads): OwnList {
  return list('price-alerts', ({ memberId }, page) => priceAlerts.list(memberId, page), {
    productId: ({ productId }) => productId,
    kind: ({ kind }) => kind,
    price: ({ price }) => price,
    createdAt: ({ createdAt }) => isoTime(createdAt),
  })
}

function transferLists({ deposits, withdrawals }: Wallet): OwnList[] {
  return [
    list('deposits', ({ memberId }, page) => deposits.list(memberId, page), {
      no: ({ no }) => no,
      amount: ({ amount }) => amount,
      method: ({ methodId }) => methodId,
      status: ({ status }) => status,
      reason: ({ reason }) => reason,
      createdAt: ({ createdAt }) => isoTime(createdAt),
      decidedAt: ({ decidedAt }) => isoTime(decidedAt),
    }),
    list('withdrawals', ({ memberId }, page) => withdrawals.list(memberId, page), {
      no: ({ no }) => no,
      amount: ({ amount }) => amount,
      account: ({ account: { id: _id, boundAt, ...details } }) => ({ ...details, boundAt: isoTime(boundAt) }),
      status: ({ status }) => status,
      reason: ({ reason }) => reason,
      createdAt: ({ createdAt }) => isoTime(createdAt),
      steps: ({ timeline }) => timeline.map(({ at, step }) => ({ at: isoTime(at), step })),
    }),
  ]
}

function list<T>(
  name: string,
  read: (principal: Principal, page: PageRequest) => Promise<PagedList<T>>,
  columns: Readonly<Record<string, (item: T) => OwnValue>>,
): OwnList {
  const cells = Object.entries(columns)
  const toRow = (item: T): OwnRow => Object.fromEntries(cells.map(([column, of]) => [column, of(item)]))
  return {
    name,
    columns: Object.keys(columns),
    page: async (principal, page) => {
      const { items, nextCursor } = await read(principal, page)
      return { items: items.map(toRow), nextCursor }
    },
  }
}

const onePage = <T>(items: T[]): PagedList<T> => ({ items, nextCursor: null })
