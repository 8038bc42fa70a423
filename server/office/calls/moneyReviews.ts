import { officeRoutes } from '../../../contract/office/routes.ts'
import { ApiError } from '../../platform/apiError.ts'
import { takesTwoPersons } from '../../platform/db/errors.ts'
import { readConfirmed } from '../fourEyes/earlier.ts'
import type { Person } from '../fourEyes/fourEyes.ts'
import type { Freezes, Wallet } from '../../money/index.ts'
import { personOf, type Acts } from './acts.ts'
import type { OfficeCall } from './officeCall.ts'
import { createFreeItem, createReviewList, type ListedParts } from './reviewItems.ts'
import type { Queues } from './queues.ts'
import type { RequestFacts } from './requestFacts.ts'
import type { Clock } from '../../platform/ports.ts'
import { readMarks } from './queueMarks.ts'
import type { SeenFacts } from './seenFacts.ts'
import type { StandingDangers } from './standingDangers.ts'

export type MoneyReviewParts = ListedParts & {
  acts: Pick<
    Acts,
    | 'approveDeposit'
    | 'reverseDeposit'
    | 'approveWithdrawal'
    | 'rejectWithdrawal'
    | 'unbind'
    | 'takesTwo'
    | 'alone'
  >
  freezes: Pick<Freezes, 'assertNotFrozen'>
  queues: Pick<Queues, 'assertFree' | 'release'>
  wallet: Wallet
  requestFacts: RequestFacts
  seen: Pick<SeenFacts, 'look' | 'assertSeen'>
  dangers: StandingDangers
  clock: Pick<Clock, 'now'>
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
  const { idResolver, wallet } = parts
  const routes = officeRoutes.deposits
  const deposits = wallet.deposits.office
  const free = createFreeItem(parts)
  const listOf = createReviewList(parts)
  call(routes.list, async (context) => {
    const page = await listOf('deposits', context, (...asked) => deposits.list(...asked))
    const marks = await readMarks(parts.db, page.items, parts.clock.now())
    const secondDeclined = (id: string) => marks.get(id)?.secondDeclined ?? null
    return {
      ...page,
      items: page.items.map((item) => ({ ...item, secondDeclined: secondDeclined(item.id) })),
    }
  })
  call(routes.show, async (context) => {
    const deposit = await parts.requestFacts.deposit(await idResolver.deposit(context.params.id))
    await parts.seen.look('deposit', deposit, context.actor)
    const person = personOf(context)
    const alone = await parts.acts.alone(person, deposit)
    return { ...deposit, alone, takesTwo: await takesTwoFor(parts, person, deposit) }
  })
  call(routes.approve, async (context) => {
    const id = await free('deposits', await idResolver.deposit(context.params.id), context.actor)
    return approveDeposit(parts, id, personOf(context), context.body.note)
  })
  call(routes.reject, async (context) => {
    const id = await free('deposits', await idResolver.deposit(context.params.id), context.actor)
    return rejectDeposit(parts, id, personOf(context), context.body.reason)
  })
}

function mountWithdrawals(call: OfficeCall, parts: MoneyReviewParts): void {
  const { idResolver, wallet } = parts
  const routes = officeRoutes.withdrawals
  const withdrawals = wallet.withdrawals.office
  const free = createFreeItem(parts)
  const listOf = createReviewList(parts)
  call(routes.list, (context) => listOf('withdrawals', context, (...asked) => withdrawals.list(...asked)))
  call(routes.show, async (context) => {
    const id = await idResolver.withdrawal(context.params.id)
    const withdrawal = await parts.requestFacts.withdrawal(id)
    await parts.seen.look('withdrawal', withdrawal, context.actor)
    const person = personOf(context)
    const alone = await parts.acts.alone(person, withdrawal)
    return { ...withdrawal, alone, takesTwo: await parts.acts.takesTwo(person, withdrawal) }
  })
  call(routes.approve, async (context) => {
    const id = await free('withdrawals', await idResolver.withdrawal(context.params.id), context.actor)
    return approveWithdrawal(parts, id, personOf(context), context.body.note)
  })
  call(routes.pay, async (context) => {
    const { params, body, actor } = context
    const id = await free('payments', await idResolver.withdrawal(params.id), actor)
    const { memberId, status, approvedAt } = await withdrawals.show(id)
    if (status === 'under_review' && approvedAt !== null) {
      await parts.freezes.assertNotFrozen(memberId)
      await parts.seen.assertSeen(personOf(context), 'withdrawal', id)
    }
    // Who approved it alone has decided too much to pay it too: another one pays it.
    return withdrawals
      .pay(id, body, actor, await parts.dangers.withdrawal(id))
      .catch(refusedAs('SECOND_PERSON'))
  })
  call(routes.reject, async (context) => {
    const { params, body, actor } = context
    const id = await idResolver.withdrawal(params.id)
    // By the claim of the queue in which it waits, which is the one that is shown.
    const queue = (await withdrawals.show(id)).approvedAt === null ? 'withdrawals' : 'payments'
    return rejectWithdrawal(parts, await free(queue, id, actor), personOf(context), body.reason)
  })
}

/**
 * With a proof of its own and within the sums of one person, one approves. Otherwise the first one credits the deposit, so
 * that the member can trade, and a second one confirms it, so that it can be withdrawn.
 */
async function approveDeposit(parts: MoneyReviewParts, id: string, person: Person, note?: string) {
  const { acts, queues, seen, wallet } = parts
  const deposits = wallet.deposits.office
  const deposit = await deposits.show(id)
  const { memberId, amount, no, status, awaitsSecondPerson } = deposit
  if (status !== 'under_review' && !awaitsSecondPerson) throw new ApiError('CONFLICT')
  const takesTwo = await takesTwoFor(parts, person, deposit)
  if (takesTwo && !person.isStaff) throw new ApiError('SECOND_PERSON')
  const confirms = await seen.assertSeen(person, 'deposit', id)
  const known = await parts.dangers.deposit(id)
  if (takesTwo && !awaitsSecondPerson) await deposits.credit(id, person.actor, known)
  const request = {
    subject: { kind: 'deposit', id },
    memberId,
    params: { no, amount },
    note,
    known,
    confirms,
  }
  const { done, proposal } = await acts.approveDeposit(request, person, takesTwo)
  // Approved, or waiting for a second person, it is no longer this one's work.
  await queues.release('deposits', id, person.actor)
  return { ...(done ?? (await deposits.show(id))), proposal }
}

/** One person rejects one under review. Two take back one that is credited and waits for a second person. */
async function rejectDeposit(
  { acts, queues, seen, wallet }: MoneyReviewParts,
  id: string,
  person: Person,
  reason: string,
) {
  const deposits = wallet.deposits.office
  const { memberId, amount, no, awaitsSecondPerson } = await deposits.show(id)
  if (!awaitsSecondPerson) return { ...(await deposits.reject(id, reason, person.actor)), proposal: null }
  const confirms = await seen.assertSeen(person, 'deposit', id, { rejects: true })
  const request = { subject: { kind: 'deposit', id }, memberId, params: { no, amount, reason }, confirms }
  const { done, proposal } = await acts.reverseDeposit(request, person)
  if (proposal) await queues.release('deposits', id, person.actor)
  return { ...(done ?? (await deposits.show(id))), proposal }
}

/**
 * An approved one may be paid already: as many persons reject it as approved it, or as its amount takes now. Otherwise
 * one does.
 */
async function rejectWithdrawal(
  { acts, db, queues, seen, wallet }: MoneyReviewParts,
  id: string,
  person: Person,
  reason: string,
) {
  const withdrawals = wallet.withdrawals.office
  const { memberId, amount, no, status, approvedAt } = await withdrawals.show(id)
  const subject = { kind: 'withdrawal', id }
  const isApproved = status === 'under_review' && approvedAt !== null
  const byTwo = isApproved && (await readConfirmed(db, { act: 'withdrawals.approve', subject })) !== null
  if (!isApproved || !(await acts.takesTwo(person, { id, memberId, amount }, byTwo))) {
    const rejected = await withdrawals.reject(id, reason, person.actor).catch(refusedAs('CONFLICT'))
    return { ...rejected, proposal: null }
  }
  const confirms = await seen.assertSeen(person, 'withdrawal', id, { rejects: true })
  const request = { subject, memberId, params: { no, amount, reason }, confirms }
  const { done, proposal } = await acts.rejectWithdrawal(request, person)
  if (proposal) await queues.release('payments', id, person.actor)
  return { ...(done ?? (await withdrawals.show(id))), proposal }
}

type OfTwo = {
  id: string
  memberId: string
  amount: string
  awaitsSecondPerson: boolean
  proofUploadId: string | null
}
/** The database counts again at the commit. */
const takesTwoFor = async (
  { acts, wallet }: Pick<MoneyReviewParts, 'acts' | 'wallet'>,
  person: Person,
  deposit: OfTwo,
): Promise<boolean> => {
  const isUnproven = deposit.proofUploadId === null || (await wallet.deposits.office.isProofUsed(deposit.id))
  return acts.takesTwo(person, deposit, deposit.awaitsSecondPerson || isUnproven)
}

/** One person approves up to a sum, two above it. With the desk key, approving pays too if one person suffices. */
async function approveWithdrawal(
  { acts, dangers, freezes, queues, seen, wallet }: MoneyReviewParts,
  id: string,
  person: Person,
  note?: string,
) {
  const withdrawals = wallet.withdrawals.office
  const { memberId, amount, no, status, approvedAt } = await withdrawals.show(id)
  // A proposal is rejected at once, not only when another person confirms it.
  if (status !== 'under_review' || approvedAt !== null) throw new ApiError('CONFLICT')
  await freezes.assertNotFrozen(memberId)
  const confirms = await seen.assertSeen(person, 'withdrawal', id)
  const takesTwo = await acts.takesTwo(person, { id, memberId, amount })
  if (!person.isStaff && !takesTwo) {
    const paid = await withdrawals.approveAndPay(id, person.actor).catch(refusedAs('CONFLICT'))
    return { ...paid, proposal: null }
  }
  const request = {
    subject: { kind: 'withdrawal', id },
    memberId,
    params: { no, amount },
    note,
    known: await dangers.withdrawal(id),
    confirms,
  }
  const { done, proposal } = await acts.approveWithdrawal(request, person, takesTwo)
  // Who pays or rejects it then claims the payment: a claim on the withdrawal would be seen in no queue.
  await queues.release('withdrawals', id, person.actor)
  return { ...(done ?? (await withdrawals.show(id))), proposal }
}

/** The answer if the database says that it takes two persons. */
const refusedAs =
  (code: 'SECOND_PERSON' | 'CONFLICT') =>
  (error: unknown): never => {
    throw takesTwoPersons(error) ? new ApiError(code) : error
  }
