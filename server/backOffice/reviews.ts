import { backOfficeRoutes } from '../../contract/backOffice.ts'
import type { StaffRole } from '../../contract/backOffice/staff.ts'
import type { UploadPurpose } from '../../contract/uploads.ts'
import type { PasswordRequests } from '../members/passwordRequests.ts'
import type { Uploads } from '../uploads/uploads.ts'
import type { Verifications } from '../verification/verification.ts'
import type { Wallet } from '../wallet/wallet.ts'
import type { BackOfficeCall } from './backOfficeCall.ts'
import type { IdResolver } from './idResolver.ts'

export type ReviewParts = {
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
  mountMoneyReviews(call, parts)

  const submissions = parts.verifications.backOffice
  const { verifications } = backOfficeRoutes
  call(verifications.list, ({ query: { status, ...page } }) => submissions.list(page, status))
  call(verifications.show, async ({ params, actor }) =>
    submissions.show(await idResolver.memberOrInput(params.id), actor),
  )
  call(verifications.approve, async ({ params, actor }) =>
    submissions.approve(await idResolver.memberOrInput(params.id), actor),
  )
  call(verifications.reject, async ({ params, body, actor }) =>
    submissions.reject(await idResolver.memberOrInput(params.id), body.reason, actor),
  )

  const requests = parts.passwordRequests.backOffice
  const passwordRequests = backOfficeRoutes['password-requests']
  call(passwordRequests.list, ({ query: { status, ...page } }) => requests.list(page, status))
  call(passwordRequests.show, ({ params }) => requests.show(params.id))
  call(passwordRequests.approve, ({ params, actor }) => requests.approve(params.id, actor))
  call(passwordRequests.reject, ({ params, body, actor }) => requests.reject(params.id, body.reason, actor))

  call(backOfficeRoutes.uploads.show, async ({ params, actor, role, reply }) => {
    const purposes = role === null ? undefined : purposesOf[role]
    const { type, data } = await uploads.viewForBackOffice(params.id, actor, purposes)
    await reply.type(type).send(data)
    return undefined
  })
}

/** Deposits and withdrawals. The back office approves or rejects them, but cannot change the amounts. */
function mountMoneyReviews(call: BackOfficeCall, { idResolver, wallet }: ReviewParts): void {
  const deposits = wallet.deposits.backOffice
  call(backOfficeRoutes.deposits.list, ({ query: { status, ...page } }) => deposits.list(page, status))
  call(backOfficeRoutes.deposits.show, async ({ params }) =>
    deposits.show(await idResolver.deposit(params.id)),
  )
  call(backOfficeRoutes.deposits.approve, async ({ params, actor }) =>
    deposits.approve(await idResolver.deposit(params.id), actor),
  )
  call(backOfficeRoutes.deposits.reject, async ({ params, body, actor }) =>
    deposits.reject(await idResolver.deposit(params.id), body.reason, actor),
  )

  const withdrawals = wallet.withdrawals.backOffice
  call(backOfficeRoutes.withdrawals.list, ({ query: { status, ...page } }) => withdrawals.list(page, status))
  call(backOfficeRoutes.withdrawals.show, async ({ params, actor }) => {
    const withdrawal = await withdrawals.show(await idResolver.withdrawal(params.id))
    const { details } = await wallet.accounts.showForBackOffice(withdrawal.account.id, actor)
    return { ...withdrawal, payTo: details }
  })
  call(backOfficeRoutes.withdrawals.approve, async ({ params, actor }) =>
    withdrawals.approve(await idResolver.withdrawal(params.id), actor),
  )
  call(backOfficeRoutes.withdrawals.reject, async ({ params, body, actor }) =>
    withdrawals.reject(await idResolver.withdrawal(params.id), body.reason, actor),
  )
  call(backOfficeRoutes['withdrawal-accounts'].unbind, async ({ params, actor }) =>
    wallet.accounts.unbind(await idResolver.memberOrInput(params.id), actor),
  )
}
