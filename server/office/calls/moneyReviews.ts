import { officeRoutes } from '../../../contract/office/routes.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { ActLog } from '../../notices/index.ts'
import { takesTwoPersons } from '../../platform/db/errors.ts'
import type { Person } from '../fourEyes/fourEyes.ts'
import { type Freezes, readSumInDay, type Wallet } from '../../money/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { isSameSpelling } from '../../platform/sealedIndex.ts'
import type { Verifications } from '../../members/index.ts'
import { personOf, type Acts } from './acts.ts'
import type { OfficeCall } from './officeCall.ts'
import { createFreeItem, createReviewFilter } from './reviewItems.ts'
import type { IdResolver } from './idResolver.ts'
import type { Queues } from './queues.ts'

export type MoneyReviewParts = {
  db: Db
  acts: Pick<Acts, 'approveDeposit' | 'approveWithdrawal' | 'unbind' | 'takesTwo' | 'proposedFor'>
  freezes: Pick<Freezes, 'assertNotFrozen'>
  queues: Pick<Queues, 'assertFree' | 'release'>
  idResolver: IdResolver
  wallet: Wallet
  verifications: Pick<Verifications, 'office'>
  actLog: Pick<ActLog, 'look' | 'write'>
}

/** Deposits, withdrawals and withdrawal accounts. The office decides about them, but cannot change the amounts. */
export function mountMoneyReviews(call: OfficeCall, parts: MoneyReviewParts): void {
  const { idResolver, wallet } = parts
  mountDeposits(call, parts)
  mountWithdrawals(call, parts)
  call(officeRoutes['withdrawal-accounts'].unbind, async (context) => {
    const { id, memberId } = await wallet.accounts.boundRef(await idResolver.memberOrInput(context.params.id))
    const request = { subject: { kind: 'withdrawal-account', id }, memberId, params: {} }
    const { proposal } = await parts.acts.unbind(request, personOf(context))
    return { id, memberId, proposal }
  })
}

function mountDeposits(call: OfficeCall, parts: MoneyReviewParts): void {
  const { db, idResolver, wallet } = parts
  const routes = officeRoutes.deposits
  const deposits = wallet.deposits.office
  const free = createFreeItem(parts)
  const filterOf = createReviewFilter(parts)
  call(routes.list, async ({ query, actor }) =>
    deposits.list(query, await filterOf('deposits', query, actor)),
  )
  call(routes.show, async (context) => {
    const { params, actor } = context
    const id = await idResolver.deposit(params.id)
    const deposit = await deposits.show(id)
    const subject = { kind: 'deposit', id }
    await parts.actLog.look({ actor, subject, memberId: deposit.memberId })
    const sameProof = await deposits.withSameProof(id)
    const inDay = await readSumInDay(db, 'deposit', deposit)
    const proposed = await parts.acts.proposedFor('deposits.approve', subject)
    const takesTwo = await takesTwoFor(parts, personOf(context), deposit)
    return { ...deposit, inDay, sameProof, ...proposed, takesTwo }
  })
  call(routes.approve, async (context) => {
    const id = await free('deposits', await idResolver.deposit(context.params.id), context.actor)
    return approveDeposit(parts, id, personOf(context), context.body.note)
  })
  call(routes.reject, async ({ params, body, actor }) =>
    deposits.reject(await free('deposits', await idResolver.deposit(params.id), actor), body.reason, actor),
  )
}

function mountWithdrawals(call: OfficeCall, parts: MoneyReviewParts): void {
  const { db, idResolver, wallet } = parts
  const routes = officeRoutes.withdrawals
  const withdrawals = wallet.withdrawals.office
  const free = createFreeItem(parts)
  const filterOf = createReviewFilter(parts)
  call(routes.list, async ({ query, actor }) =>
    withdrawals.list(query, await filterOf('withdrawals', query, actor)),
  )
  call(routes.show, async (context) => {
    const { params, actor } = context
    const withdrawal = await withdrawals.show(await idResolver.withdrawal(params.id))
    const { details } = await wallet.accounts.showForOffice(withdrawal.account.id, actor)
    const verifiedName = await parts.verifications.office.verifiedName(withdrawal.memberId)
    const nameMatches = verifiedName !== null && isSameSpelling(verifiedName, details.accountName)
    const subject = { kind: 'withdrawal', id: withdrawal.id }
    const proposed = await parts.acts.proposedFor('withdrawals.approve', subject)
    const inDay = await readSumInDay(db, 'withdrawal', withdrawal)
    const takesTwo = await parts.acts.takesTwo(personOf(context), withdrawal)
    return { ...withdrawal, inDay, payTo: details, verifiedName, nameMatches, ...proposed, takesTwo }
  })
  call(routes.approve, async (context) => {
    const id = await free('withdrawals', await idResolver.withdrawal(context.params.id), context.actor)
    return approveWithdrawal(parts, id, personOf(context), context.body.note)
  })
  call(routes.pay, async ({ params, body, actor }) => {
    const id = await free('payments', await idResolver.withdrawal(params.id), actor)
    // Who approved it alone has decided too much to pay it too: another one pays it.
    return withdrawals.pay(id, body.reference, actor).catch(refusedAs('SECOND_PERSON'))
  })
  call(routes.reject, async ({ params, body, actor }) => {
    const id = await free('withdrawals', await idResolver.withdrawal(params.id), actor)
    return withdrawals.reject(await free('payments', id, actor), body.reason, actor)
  })
}

/**
 * With proof and within the sums of one person, one approves. Otherwise the first one credits the deposit, so that the
 * member can trade, and a second one confirms it, so that it can be withdrawn.
 */
async function approveDeposit(parts: MoneyReviewParts, id: string, person: Person, note?: string) {
  const { acts, queues, wallet } = parts
  const deposits = wallet.deposits.office
  const deposit = await deposits.show(id)
  const { memberId, amount, no, status, awaitsSecondPerson } = deposit
  if (status !== 'under_review' && !awaitsSecondPerson) throw new ApiError('CONFLICT')
  const takesTwo = await takesTwoFor(parts, person, deposit)
  if (takesTwo && !person.isStaff) throw new ApiError('SECOND_PERSON')
  if (takesTwo && !awaitsSecondPerson) await deposits.credit(id, person.actor)
  const request = { subject: { kind: 'deposit', id }, memberId, params: { no, amount }, note }
  const { done, proposal } = await acts.approveDeposit(request, person, takesTwo)
  // What waits for a second person is no longer the first one's work.
  if (proposal) await queues.release('deposits', id, person.actor)
  return { ...(done ?? (await deposits.show(id))), proposal }
}

type OfTwo = {
  id: string
  memberId: string
  amount: string
  awaitsSecondPerson: boolean
  proofUploadId: string | null
}
const takesTwoFor = (
  { acts }: Pick<MoneyReviewParts, 'acts'>,
  person: Person,
  deposit: OfTwo,
): Promise<boolean> =>
  acts.takesTwo(person, deposit, deposit.awaitsSecondPerson || deposit.proofUploadId === null)

/** One person approves up to a sum, two above it. With the desk key, approving pays too if one person suffices. */
async function approveWithdrawal(
  { acts, freezes, queues, wallet }: MoneyReviewParts,
  id: string,
  person: Person,
  note?: string,
) {
  const withdrawals = wallet.withdrawals.office
  const { memberId, amount, no, status, approvedAt } = await withdrawals.show(id)
  // A proposal is rejected at once, not only when another person confirms it.
  if (status !== 'under_review' || approvedAt !== null) throw new ApiError('CONFLICT')
  await freezes.assertNotFrozen(memberId)
  const takesTwo = await acts.takesTwo(person, { id, memberId, amount })
  if (!person.isStaff && !takesTwo) {
    const paid = await withdrawals.approveAndPay(id, person.actor).catch(refusedAs('CONFLICT'))
    return { ...paid, proposal: null }
  }
  const request = { subject: { kind: 'withdrawal', id }, memberId, params: { no, amount }, note }
  const { done, proposal } = await acts.approveWithdrawal(request, person, takesTwo)
  if (proposal) await queues.release('withdrawals', id, person.actor)
  return { ...(done ?? (await withdrawals.show(id))), proposal }
}

/** The answer if the database says that it takes two persons. */
const refusedAs =
  (code: 'SECOND_PERSON' | 'CONFLICT') =>
  (error: unknown): never => {
    throw takesTwoPersons(error) ? new ApiError(code) : error
  }
