import { backOfficeRoutes } from '../../contract/backOffice.ts'
import type { QueueName } from '../../contract/backOffice/queues.ts'
import type { StaffRole } from '../../contract/backOffice/staff.ts'
import type { UploadPurpose } from '../../contract/uploads.ts'
import type { Person } from '../fourEyes/fourEyes.ts'
import type { Freezes } from '../freezes/freezes.ts'
import { ApiError } from '../apiError.ts'
import { isSameSpelling } from '../sealedIndex.ts'
import type { ReviewFilter } from '../paging.ts'
import type { PasswordRequests } from '../members/passwordRequests.ts'
import type { Uploads } from '../uploads/uploads.ts'
import type { Verifications } from '../verification/verification.ts'
import type { Wallet } from '../wallet/wallet.ts'
import { personOf } from './acts.ts'
import type { Acts } from './acts.ts'
import type { BackOfficeCall } from './backOfficeCall.ts'
import type { IdResolver } from './idResolver.ts'
import type { Queues } from './queues.ts'

export type ReviewParts = {
  acts: Pick<Acts, 'approveWithdrawal' | 'unbind' | 'approvePassword' | 'isLarge' | 'isNeeded' | 'openFor'>
  freezes: Pick<Freezes, 'assertNotFrozen'>
  queues: Pick<Queues, 'assertFree'>
  idResolver: IdResolver
  wallet: Wallet
  passwordRequests: Pick<PasswordRequests, 'backOffice'>
  uploads: Pick<Uploads, 'viewForBackOffice'>
  verifications: Pick<Verifications, 'backOffice'>
}

/** The pictures that a role needs for its work. */
const purposesOf: Readonly<Record<StaffRole, readonly UploadPurpose[]>> = {
  support: ['service'],
  finance: ['deposit_proof'],
  compliance: ['id_front', 'id_back', 'service'],
  content: [],
  admin: [],
}

/** Reviews of members' requests. Each is decided once, with a message to the member in the same transaction. */
export function mountReviews(call: BackOfficeCall, parts: ReviewParts): void {
  const { idResolver, uploads } = parts
  const filterOf = createReviewFilter(idResolver)
  mountMoneyReviews(call, parts)

  const submissions = parts.verifications.backOffice
  const { verifications } = backOfficeRoutes
  call(verifications.list, async ({ query }) => submissions.list(query, await filterOf(query)))
  call(verifications.show, async ({ params, actor }) =>
    submissions.show(await idResolver.memberOrInput(params.id), actor),
  )
  const free = createFreeItem(parts)
  call(verifications.approve, async ({ params, actor }) => {
    const id = await submissions.idOf(await idResolver.memberOrInput(params.id))
    return submissions.approve(await free('verifications', id, actor), actor)
  })
  call(verifications.reject, async ({ params, body, actor }) => {
    const id = await submissions.idOf(await idResolver.memberOrInput(params.id))
    return submissions.reject(await free('verifications', id, actor), body.reason, actor)
  })

  const requests = parts.passwordRequests.backOffice
  const passwordRequests = backOfficeRoutes['password-requests']
  call(passwordRequests.list, async ({ query }) => requests.list(query, await filterOf(query)))
  call(passwordRequests.show, async ({ params: { id } }) => ({
    ...(await requests.show(id)),
    proposal: await parts.acts.openFor('password-requests.approve', { kind: 'password-request', id }),
  }))
  call(passwordRequests.approve, async (context) => {
    const { id, memberId, status } = await requests.show(context.params.id)
    if (status !== 'under_review') throw new ApiError('CONFLICT')
    await free('password-requests', id, context.actor)
    const request = { subject: { kind: 'password-request', id }, memberId, params: {} }
    const { done, proposal } = await parts.acts.approvePassword(request, personOf(context))
    return { ...(done ?? (await requests.show(id))), proposal }
  })
  call(verifications.revoke, async ({ params, body, actor }) =>
    submissions.revoke(await idResolver.memberOrInput(params.id), body.reason, actor),
  )
  call(passwordRequests.reject, async ({ params, body, actor }) =>
    requests.reject(await free('password-requests', params.id, actor), body.reason, actor),
  )

  call(backOfficeRoutes.uploads.show, async ({ params, actor, role, reply }) => {
    const purposes = role === null ? undefined : purposesOf[role]
    const { type, data } = await uploads.viewForBackOffice(params.id, actor, purposes)
    await reply.type(type).send(data)
    return undefined
  })
}

/** Deposits and withdrawals. The back office approves or rejects them, but cannot change the amounts. */
function mountMoneyReviews(call: BackOfficeCall, parts: ReviewParts): void {
  const { idResolver, wallet } = parts
  const free = createFreeItem(parts)
  const deposits = wallet.deposits.backOffice
  const filterOf = createReviewFilter(idResolver)
  call(backOfficeRoutes.deposits.list, async ({ query }) => deposits.list(query, await filterOf(query)))
  call(backOfficeRoutes.deposits.show, async ({ params }) =>
    deposits.show(await idResolver.deposit(params.id)),
  )
  call(backOfficeRoutes.deposits.approve, async ({ params, actor }) =>
    deposits.approve(await free('deposits', await idResolver.deposit(params.id), actor), actor),
  )
  call(backOfficeRoutes.deposits.reject, async ({ params, body, actor }) =>
    deposits.reject(await free('deposits', await idResolver.deposit(params.id), actor), body.reason, actor),
  )

  const withdrawals = wallet.withdrawals.backOffice
  call(backOfficeRoutes.withdrawals.list, async ({ query }) => withdrawals.list(query, await filterOf(query)))
  call(backOfficeRoutes.withdrawals.show, async ({ params, actor }) => {
    const withdrawal = await withdrawals.show(await idResolver.withdrawal(params.id))
    const { details } = await wallet.accounts.showForBackOffice(withdrawal.account.id, actor)
    const verifiedName = await parts.verifications.backOffice.verifiedName(withdrawal.memberId)
    const nameMatches = verifiedName !== null && isSameSpelling(verifiedName, details.accountName)
    const subject = { kind: 'withdrawal', id: withdrawal.id }
    const proposal = await parts.acts.openFor('withdrawals.approve', subject)
    return { ...withdrawal, payTo: details, verifiedName, nameMatches, proposal }
  })
  call(backOfficeRoutes.withdrawals.approve, async (context) => {
    const id = await free('withdrawals', await idResolver.withdrawal(context.params.id), context.actor)
    return approveWithdrawal(parts, id, personOf(context))
  })
  call(backOfficeRoutes.withdrawals.pay, async ({ params, body, actor }) => {
    const id = await free('payments', await idResolver.withdrawal(params.id), actor)
    return withdrawals.pay(id, body.reference, actor)
  })
  call(backOfficeRoutes.withdrawals.reject, async ({ params, body, actor }) => {
    const id = await free('withdrawals', await idResolver.withdrawal(params.id), actor)
    return withdrawals.reject(await free('payments', id, actor), body.reason, actor)
  })
  call(backOfficeRoutes['withdrawal-accounts'].unbind, async (context) => {
    const { id, memberId } = await wallet.accounts.boundRef(await idResolver.memberOrInput(context.params.id))
    const request = { subject: { kind: 'withdrawal-account', id }, memberId, params: {} }
    const { proposal } = await parts.acts.unbind(request, personOf(context))
    return { id, memberId, proposal }
  })
}

/** One person approves up to a limit, two above it. With the desk key, approving pays too if one person suffices. */
async function approveWithdrawal({ acts, freezes, wallet }: ReviewParts, id: string, person: Person) {
  const withdrawals = wallet.withdrawals.backOffice
  const { memberId, amount, no, status, approvedAt } = await withdrawals.show(id)
  // A proposal is rejected at once, not only when another person confirms it.
  if (status !== 'under_review' || approvedAt !== null) throw new ApiError('CONFLICT')
  await freezes.assertNotFrozen(memberId)
  const takesTwo = (await acts.isLarge(amount)) && (await acts.isNeeded())
  if (!person.isStaff && !takesTwo) {
    return { ...(await withdrawals.approveAndPay(id, person.actor)), proposal: null }
  }
  const request = { subject: { kind: 'withdrawal', id }, memberId, params: { no, amount } }
  const { done, proposal } = await acts.approveWithdrawal(request, person, takesTwo)
  return { ...(done ?? (await withdrawals.show(id))), proposal }
}

/** The filter of a list's query, which names a member by id or account. */
const createReviewFilter =
  (idResolver: IdResolver) =>
  async <Status>({ status, memberId }: ReviewFilter<Status>): Promise<ReviewFilter<Status>> => ({
    status,
    ...(memberId !== undefined && { memberId: await idResolver.member(memberId) }),
  })

/** Returns the id of an item that no other member of staff holds. @throws ApiError `CLAIMED` */
const createFreeItem =
  ({ queues }: Pick<ReviewParts, 'queues'>) =>
  async (queue: QueueName, id: string, actor: string): Promise<string> => {
    await queues.assertFree(queue, id, actor)
    return id
  }
