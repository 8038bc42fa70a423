import { deskRoutes } from '../../contract/desk.ts'
import type { Wallet } from '../wallet/wallet.ts'
import type { DeskCall } from './deskCall.ts'
import type { Names } from './names.ts'

export type ReviewParts = {
  names: Names
  wallet: Pick<
    Wallet,
    'accounts' | 'deposits' | 'passwordRequests' | 'uploads' | 'verifications' | 'withdrawals'
  >
}

/** What members ask for and the desk decides: each once, with a message to the member in the same transaction. */
export function mountReviews(call: DeskCall, { names, wallet }: ReviewParts): void {
  mountMoney(call, names, wallet)

  const submissions = wallet.verifications.desk
  const { verifications } = deskRoutes
  call(verifications.list, ({ query: { status, ...page } }) => submissions.list(page, status))
  call(verifications.show, async ({ params, actor }) =>
    submissions.show(await names.memberOrElse(params.id), actor),
  )
  call(verifications.approve, async ({ params, actor }) =>
    submissions.approve(await names.memberOrElse(params.id), actor),
  )
  call(verifications.reject, async ({ params, body, actor }) =>
    submissions.reject(await names.memberOrElse(params.id), body.reason, actor),
  )

  const requests = wallet.passwordRequests.desk
  const passwordRequests = deskRoutes['password-requests']
  call(passwordRequests.list, ({ query: { status, ...page } }) => requests.list(page, status))
  call(passwordRequests.show, ({ params }) => requests.show(params.id))
  call(passwordRequests.approve, ({ params, actor }) => requests.approve(params.id, actor))
  call(passwordRequests.reject, ({ params, body, actor }) => requests.reject(params.id, body.reason, actor))

  call(deskRoutes.uploads.show, async ({ params, actor, reply }) => {
    const { type, data } = await wallet.uploads.viewForDesk(params.id, actor)
    await reply.type(type).send(data)
    return undefined
  })
}

/** Money in and out. The amounts are the member's: the desk says yes or no to them. */
function mountMoney(call: DeskCall, names: Names, wallet: ReviewParts['wallet']): void {
  const deposits = wallet.deposits.desk
  call(deskRoutes.deposits.list, ({ query: { status, ...page } }) => deposits.list(page, status))
  call(deskRoutes.deposits.show, async ({ params }) => deposits.show(await names.deposit(params.id)))
  call(deskRoutes.deposits.approve, async ({ params, actor }) =>
    deposits.approve(await names.deposit(params.id), actor),
  )
  call(deskRoutes.deposits.reject, async ({ params, body, actor }) =>
    deposits.reject(await names.deposit(params.id), body.reason, actor),
  )

  const withdrawals = wallet.withdrawals.desk
  call(deskRoutes.withdrawals.list, ({ query: { status, ...page } }) => withdrawals.list(page, status))
  call(deskRoutes.withdrawals.show, async ({ params, actor }) => {
    const shown = await withdrawals.show(await names.withdrawal(params.id))
    const { details } = await wallet.accounts.showForDesk(shown.account.id, actor)
    return { ...shown, payTo: details }
  })
  call(deskRoutes.withdrawals.approve, async ({ params, actor }) =>
    withdrawals.approve(await names.withdrawal(params.id), actor),
  )
  call(deskRoutes.withdrawals.reject, async ({ params, body, actor }) =>
    withdrawals.reject(await names.withdrawal(params.id), body.reason, actor),
  )
  call(deskRoutes['withdrawal-accounts'].unbind, async ({ params, actor }) =>
    wallet.accounts.unbind(await names.memberOrElse(params.id), actor),
  )
}
