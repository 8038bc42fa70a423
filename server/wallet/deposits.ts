import { and, desc, eq } from 'drizzle-orm'
import { minor } from '../../contract/brand.ts'
import { formatMoney, moneyOf } from '../../contract/money.ts'
import type { Deposit, DepositMethod, ReviewStatus } from '../../contract/wallet.ts'
import type { Audit } from '../audit/audit.ts'
import { decisionAct, decisionOf } from '../audit/decision.ts'
import type { BusinessClock } from '../calendar/businessClock.ts'
import type { Db, DbTransaction } from '../db/database.ts'
import { deposit } from '../db/schema/wallet.ts'
import type { DepositRow } from '../db/schema/wallet.ts'
import { Refusal } from '../http/refusal.ts'
import type { Ledger, Posted } from '../ledger/ledger.ts'
import type { MemberLimits } from '../limits/limits.ts'
import type { Draft, Messages } from '../messages/messages.ts'
import { below, pageOf } from '../pages.ts'
import type { List, Page } from '../pages.ts'
import type { Clock, MemberBus, Random } from '../ports.ts'
import type { Uploads } from '../uploads/uploads.ts'
import type { DepositMethods } from './depositMethods.ts'
import { requestNo } from './number.ts'

export type DepositRequest = { methodId: string; amount: string; proofUploadId?: string | undefined }
/** What a change came to, and what is told once it is committed. */
export type Told<T> = { answer: T; committed: () => void }
/** A deposit as the desk sees it. */
export type DeskDeposit = Deposit & {
  memberId: string
  proofUploadId: string | null
  decidedBy: string | null
}

/** Deposits: practice money is credited at once, everything else when customer service has seen the money. */
export type Deposits = {
  methods(): DepositMethod[]
  /** Throws 400, 423 `EXCLUDED` / `SELF_LIMIT`, 422 `DEPOSIT_LIMIT`. */
  place(tx: DbTransaction, memberId: string, request: DepositRequest): Promise<Told<Deposit>>
  list(memberId: string, page: Page): Promise<List<Deposit>>
  desk: DepositDesk
}
export type DepositDesk = {
  list(page: Page, status?: ReviewStatus): Promise<List<DeskDeposit>>
  show(id: string): Promise<DeskDeposit>
  /** Throws 404, or 409 `CONFLICT` where it is decided already. */
  approve(id: string, actor: string): Promise<DeskDeposit>
  reject(id: string, reason: string, actor: string): Promise<DeskDeposit>
}

export type DepositsParts = {
  db: Db
  clock: Pick<Clock, 'now'>
  random: Random
  business: Pick<BusinessClock, 'today'>
  bus: MemberBus
  ledger: Ledger
  limits: MemberLimits
  uploads: Pick<Uploads, 'use'>
  audit: Audit
  messages: Pick<Messages, 'send'>
  methods: DepositMethods
}

export function createDeposits(parts: DepositsParts): Deposits {
  const { db, clock, random, business, bus, ledger, limits, uploads, methods } = parts

  const place: Deposits['place'] = async (tx, memberId, { methodId, amount: text, proofUploadId }) => {
    const method = methods.find(methodId)
    if (!method) throw invalid('methodId')
    const amount = moneyOf(text)
    // The balance's lock puts a member's deposits one behind the other, so that the day's sum is true.
    await ledger.lock(tx, memberId)
    await limits.refuseDeposit(tx, memberId, amount)
    if (amount < method.min || amount > method.max) {
      throw new Refusal(422, 'DEPOSIT_LIMIT', {
        params: { min: formatMoney(method.min), max: formatMoney(method.max) },
      })
    }
    const id = random.uuid()
    if (proofUploadId !== undefined) {
      const by = { kind: 'deposit', id }
      const use = { id: proofUploadId, memberId, purpose: 'deposit_proof', by } as const
      if (!(await uploads.use(tx, use))) throw invalid('proofUploadId')
    }
    const createdOn = business.today()
    const createdAt = clock.now()
    const atOnce = method.kind === 'practice'
    const [row] = await tx
      .insert(deposit)
      .values({
        id,
        no: requestNo('D', createdOn, random),
        memberId,
        methodId,
        amount,
        proofUploadId: proofUploadId ?? null,
        status: atOnce ? 'successful' : 'under_review',
        createdAt,
        createdOn,
        decidedAt: atOnce ? createdAt : null,
        decidedBy: atOnce ? 'practice' : null,
      })
      .returning()
    if (!row) throw new Error('A deposit was not written.')
    const posted = atOnce ? await credit(tx, ledger, row) : null
    return { answer: depositOf(row), committed: () => tell(bus, ledger, row, posted) }
  }

  return {
    methods: () => methods.list(),
    place,
    list: async (memberId, page) => {
      const rows = await db
        .select()
        .from(deposit)
        .where(and(eq(deposit.memberId, memberId), below(deposit.createdAt, deposit.id, page)))
        .orderBy(desc(deposit.createdAt), desc(deposit.id))
        .limit(page.limit + 1)
      return pageOf(rows, page.limit, depositOf, keyOf)
    },
    desk: createDepositDesk(parts),
  }
}

function createDepositDesk(parts: DepositsParts): DepositDesk {
  const { db, clock, bus, ledger, audit, messages } = parts
  const decide = async (id: string, actor: string, reason: string | null): Promise<DeskDeposit> => {
    const { row, posted, note } = await db.transaction(async (tx) => {
      const [found] = await tx.select().from(deposit).where(eq(deposit.id, id)).for('update')
      if (!found) throw new Refusal(404, 'NOT_FOUND')
      const status = reason === null ? 'successful' : 'failed'
      const set = { status, ...decisionOf(found, { actor, reason }, clock) } as const
      await tx.update(deposit).set(set).where(eq(deposit.id, id))
      const decided: DepositRow = { ...found, ...set }
      const act = decisionAct(reason)
      const subject = { kind: 'deposit', id }
      const details = { no: found.no, ...(reason !== null && { reason }) }
      await audit.write(tx, { actor, act, subject, memberId: found.memberId, details })
      const posted = reason === null ? await credit(tx, ledger, decided) : null
      return { row: decided, posted, note: await messages.send(tx, draftOf(decided)) }
    })
    tell(bus, ledger, row, posted)
    note()
    return deskDepositOf(row)
  }
  return {
    list: async (page, status) => {
      const rows = await db
        .select()
        .from(deposit)
        .where(and(status && eq(deposit.status, status), below(deposit.createdAt, deposit.id, page)))
        .orderBy(desc(deposit.createdAt), desc(deposit.id))
        .limit(page.limit + 1)
      return pageOf(rows, page.limit, deskDepositOf, keyOf)
    },
    show: async (id) => {
      const [row] = await db.select().from(deposit).where(eq(deposit.id, id))
      if (!row) throw new Refusal(404, 'NOT_FOUND')
      return deskDepositOf(row)
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
    ref: { kind: 'deposit', id: row.id },
  })
  if (!posted) throw new Error('A credit was refused.')
  return posted
}

function tell(bus: MemberBus, ledger: Ledger, row: DepositRow, posted: Posted | null): void {
  bus.emit(row.memberId, 'deposit', depositOf(row))
  if (posted) ledger.announce(row.memberId, posted)
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
    createdAt,
    decidedAt,
    version,
  }
}

function deskDepositOf(row: DepositRow): DeskDeposit {
  const { memberId, proofUploadId, decidedBy } = row
  return { ...depositOf(row), memberId, proofUploadId, decidedBy }
}

/** What the member is told of a decision. */
function draftOf(row: DepositRow): Draft {
  const link = 'pages/deposit/deposit'
  const params = { no: row.no, amount: formatMoney(minor(row.amount)) }
  const { memberId, reason } = row
  return reason === null
    ? { memberId, key: 'depositSuccessful', params, link }
    : { memberId, key: 'depositFailed', params: { ...params, reason }, link }
}

const keyOf = (row: DepositRow): [number, string] => [row.createdAt, row.id]

const invalid = (field: string): Refusal => new Refusal(400, 'VALIDATION', { fields: { [field]: 'INVALID' } })
