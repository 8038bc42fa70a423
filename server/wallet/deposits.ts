import { and, desc, eq } from 'drizzle-orm'
import { minor, epochMs } from '../../contract/brand.ts'
import { formatMoney, moneyOf } from '../../contract/money.ts'
import type { Deposit, DepositMethod } from '../../contract/deposits.ts'
import type { ReviewStatus } from '../../contract/reviews.ts'
import type { Audit } from '../audit/audit.ts'
import { decisionAuditAct, toDecisionColumns } from '../audit/decision.ts'
import type { BusinessClock } from '../calendar/businessClock.ts'
import type { Committed } from '../committed.ts'
import type { Db, DbTransaction } from '../db/database.ts'
import { deposit } from '../db/schema/wallet.ts'
import type { DepositRow } from '../db/schema/wallet.ts'
import { ApiError } from '../apiError.ts'
import type { Ledger, Posted } from '../ledger/ledger.ts'
import type { SelfLimitPolicy } from '../selfLimits/selfLimits.ts'
import type { MessageDraft, Messages } from '../messages/messages.ts'
import { belowCursor, matchesReview, toPagedList } from '../paging.ts'
import type { PagedList, PageRequest, ReviewFilter } from '../paging.ts'
import type { Clock, MemberBus, Random } from '../ports.ts'
import type { Uploads } from '../uploads/uploads.ts'
import type { DepositMethods } from './depositMethods.ts'
import { requestNo } from './requestNo.ts'

export type DepositRequest = { methodId: string; amount: string; proofUploadId?: string | undefined }
/** A deposit as the back office sees it. */
export type BackOfficeDeposit = Deposit & {
  memberId: string
  proofUploadId: string | null
  decidedBy: string | null
}

/** Deposits: those of a reviewed method are credited when customer service approves them, others at once. */
export type Deposits = {
  methods(): DepositMethod[]
  /** Throws `VALIDATION`, `EXCLUDED` / `SELF_LIMIT`, `DEPOSIT_LIMIT`. */
  place(tx: DbTransaction, memberId: string, request: DepositRequest): Promise<Committed<Deposit>>
  list(memberId: string, page: PageRequest): Promise<PagedList<Deposit>>
  backOffice: DepositBackOffice
}
export type DepositBackOffice = {
  list(page: PageRequest, filter?: ReviewFilter<ReviewStatus>): Promise<PagedList<BackOfficeDeposit>>
  show(id: string): Promise<BackOfficeDeposit>
  /** Throws `NOT_FOUND`, or `CONFLICT` if it is already decided. */
  approve(id: string, actor: string): Promise<BackOfficeDeposit>
  reject(id: string, reason: string, actor: string): Promise<BackOfficeDeposit>
}

export type DepositsParts = {
  db: Db
  clock: Pick<Clock, 'now'>
  random: Random
  business: Pick<BusinessClock, 'today'>
  bus: MemberBus
  ledger: Ledger
  selfLimits: SelfLimitPolicy
  uploads: Pick<Uploads, 'use'>
  audit: Audit
  messages: Pick<Messages, 'send'>
  methods: DepositMethods
}

export function createDeposits(parts: DepositsParts): Deposits {
  const { db, clock, random, business, bus, ledger, selfLimits, uploads, methods } = parts

  const place: Deposits['place'] = async (tx, memberId, { methodId, amount: text, proofUploadId }) => {
    const method = methods.find(methodId)
    if (!method) throw invalid('methodId')
    const amount = moneyOf(text)
    // The balance's lock serializes a member's deposits, so that the day's sum is correct.
    await ledger.lock(tx, memberId)
    await selfLimits.assertDepositAllowed(tx, memberId, amount)
    if (amount < method.min || amount > method.max) {
      throw new ApiError('DEPOSIT_LIMIT', {
        params: { min: formatMoney(method.min), max: formatMoney(method.max) },
      })
    }
    const id = random.uuid()
    if (proofUploadId !== undefined) {
      const by = { kind: 'deposit', id }
      const use = { id: proofUploadId, memberId, sentBy: null, purpose: 'deposit_proof', by } as const
      if (!(await uploads.use(tx, use))) throw invalid('proofUploadId')
    }
    const createdOn = business.today()
    const createdAt = clock.now()
    const isInstant = !method.reviewed
    const [row] = await tx
      .insert(deposit)
      .values({
        id,
        no: requestNo('D', createdOn, random),
        memberId,
        methodId,
        amount,
        proofUploadId: proofUploadId ?? null,
        status: isInstant ? 'successful' : 'under_review',
        createdAt,
        createdOn,
        decidedAt: isInstant ? createdAt : null,
        decidedBy: isInstant ? 'practice' : null,
      })
      .returning()
    if (!row) throw new Error('The insert of a deposit returned no row.')
    const posted = isInstant ? await credit(tx, ledger, row) : null
    return { answer: depositOf(row), afterCommit: () => publishDeposit(bus, ledger, row, posted) }
  }

  return {
    methods: () => methods.list(),
    place,
    list: async (memberId, page) => {
      const rows = await db
        .select()
        .from(deposit)
        .where(and(eq(deposit.memberId, memberId), belowCursor(deposit.createdAt, deposit.id, page)))
        .orderBy(desc(deposit.createdAt), desc(deposit.id))
        .limit(page.limit + 1)
      return toPagedList(rows, page.limit, depositOf, keyOf)
    },
    backOffice: createDepositBackOffice(parts),
  }
}

function createDepositBackOffice(parts: DepositsParts): DepositBackOffice {
  const { db, clock, bus, ledger, audit, messages } = parts
  const decide = async (id: string, actor: string, reason: string | null): Promise<BackOfficeDeposit> => {
    const { row, posted, notify } = await db.transaction(async (tx) => {
      const [current] = await tx.select().from(deposit).where(eq(deposit.id, id)).for('update')
      if (!current) throw new ApiError('NOT_FOUND')
      const status = reason === null ? 'successful' : 'failed'
      const set = { status, ...toDecisionColumns(current, { actor, reason }, clock) } as const
      await tx.update(deposit).set(set).where(eq(deposit.id, id))
      const decided: DepositRow = { ...current, ...set }
      const act = decisionAuditAct(reason)
      const subject = { kind: 'deposit', id }
      const details = { no: current.no, ...(reason !== null && { reason }) }
      await audit.write(tx, { actor, act, subject, memberId: current.memberId, details })
      const posted = reason === null ? await credit(tx, ledger, decided) : null
      return { row: decided, posted, notify: await messages.send(tx, draftOf(decided)) }
    })
    publishDeposit(bus, ledger, row, posted)
    notify()
    return backOfficeDepositOf(row)
  }
  return {
    list: async (page, filter = {}) => {
      const rows = await db
        .select()
        .from(deposit)
        .where(matchesReview(deposit, deposit.createdAt, filter, page))
        .orderBy(desc(deposit.createdAt), desc(deposit.id))
        .limit(page.limit + 1)
      return toPagedList(rows, page.limit, backOfficeDepositOf, keyOf)
    },
    show: async (id) => {
      const [row] = await db.select().from(deposit).where(eq(deposit.id, id))
      if (!row) throw new ApiError('NOT_FOUND')
      return backOfficeDepositOf(row)
    },
    approve: (id, actor) => decide(id, actor, null),
    reject: (id, reason, actor) => decide(id, actor, reason),
  }
}

async function credit(tx: DbTransaction, ledger: Ledger, row: DepositRow): Promise<Posted> {
  const posted = await ledger.post(tx, {
    memberId: row.memberId,
    type: 'deposit',
    legs: { available: row.amount, external: -row.amount },
    ref: { kind: 'deposit', id: row.id, no: row.no },
  })
  if (!posted) throw new Error('The ledger rejected a credit.')
  return posted
}

function publishDeposit(bus: MemberBus, ledger: Ledger, row: DepositRow, posted: Posted | null): void {
  bus.emit(row.memberId, 'deposit', depositOf(row))
  if (posted) ledger.publish(row.memberId, posted)
}

function depositOf(row: DepositRow): Deposit {
  const { id, no, methodId, status, reason, createdAt, decidedAt, version } = row
  return {
    id,
    no,
    amount: formatMoney(minor(row.amount)),
    methodId,
    status,
    reason,
    createdAt: epochMs(createdAt),
    decidedAt: epochMs(decidedAt),
    version,
  }
}

function backOfficeDepositOf(row: DepositRow): BackOfficeDeposit {
  const { memberId, proofUploadId, decidedBy } = row
  return { ...depositOf(row), memberId, proofUploadId, decidedBy }
}

/** The message to the member about a decision. */
function draftOf(row: DepositRow): MessageDraft {
  const link = 'pages/deposit/deposit'
  const params = { no: row.no, amount: formatMoney(minor(row.amount)) }
  const { memberId, reason } = row
  return reason === null
    ? { memberId, key: 'depositSuccessful', params, link }
    : { memberId, key: 'depositFailed', params: { ...params, reason }, link }
}

const keyOf = (row: DepositRow): [number, string] => [row.createdAt, row.id]

const invalid = (field: string): ApiError => new ApiError('VALIDATION', { fields: { [field]: 'INVALID' } })
