import { and, desc, eq } from 'drizzle-orm'
import { formatMoney, moneyOf } from '../../../contract/money.ts'
import type { Deposit, DepositMethod } from '../../../contract/deposits.ts'
import type { Committed } from '../../platform/committed.ts'
import type { DbTransaction } from '../../platform/db/database.ts'
import { deposit } from '../schema.ts'
import { ApiError } from '../../platform/apiError.ts'
import { belowCursor, toPagedList, type PagedList, type PageRequest } from '../../platform/paging.ts'
import { createDepositOffice, type DepositOffice } from './depositOffice.ts'
import { creditDeposit, depositKeyOf, depositOf, publishDeposit } from './depositView.ts'
import { createRequestLimits } from './requestLimits.ts'
import { requestNo } from './requestNo.ts'
import type { DepositsParts } from './depositsParts.ts'

export type DepositRequest = { methodId: string; amount: string; proofUploadId?: string | undefined }

/** Deposits: those of a reviewed method are credited when customer service approves them, others at once. */
export type Deposits = {
  methods(): DepositMethod[]
  /** Throws `VALIDATION`, `EXCLUDED` / `SELF_LIMIT`, `DEPOSIT_LIMIT`, `TOO_MANY_OPEN`, `TOO_MANY_TODAY`. */
  place(tx: DbTransaction, memberId: string, request: DepositRequest): Promise<Committed<Deposit>>
  list(memberId: string, page: PageRequest): Promise<PagedList<Deposit>>
  office: DepositOffice
}
export function createDeposits(parts: DepositsParts): Deposits {
  const { db, clock, random, business, bus, ledger, selfLimits, uploads, methods } = parts
  const limits = createRequestLimits(parts.settings)

  const place: Deposits['place'] = async (tx, memberId, { methodId, amount: text, proofUploadId }) => {
    const method = methods.find(methodId)
    if (!method) throw invalid('methodId')
    const amount = moneyOf(text)
    // The balance's lock serialises a member's deposits, so that the day's sum is correct.
    await ledger.lock(tx, memberId)
    await selfLimits.assertDepositAllowed(tx, memberId, amount)
    if (amount < method.min || amount > method.max) {
      throw new ApiError('DEPOSIT_LIMIT', {
        params: { min: formatMoney(method.min), max: formatMoney(method.max) },
      })
    }
    if (method.reviewed) await limits.assertDeposit(tx, memberId, clock.now())
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
    const posted = isInstant ? await creditDeposit(tx, ledger, row) : null
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
      return toPagedList(rows, page.limit, depositOf, depositKeyOf)
    },
    office: createDepositOffice(parts),
  }
}

const invalid = (field: string): ApiError => new ApiError('VALIDATION', { fields: { [field]: 'INVALID' } })
