import { officeRoutes } from '../../../contract/office/routes.ts'
import type { StaffRole } from '../../../contract/office/staff.ts'
import type { UploadPurpose } from '../../../contract/uploads.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { PasswordRequests, Verifications } from '../../members/index.ts'
import type { Uploads } from '../../notices/index.ts'
import { personOf, type Acts } from './acts.ts'
import type { OfficeCall } from './officeCall.ts'
import { readBefore } from './requestFacts.ts'
import { mountMoneyReviews, type MoneyReviewParts } from './moneyReviews.ts'
import { createFreeItem, createReviewList } from './reviewItems.ts'

export type ReviewParts = MoneyReviewParts & {
  acts: Pick<Acts, 'approvePassword' | 'isNeeded'>
  verifications: Pick<Verifications, 'office'>
  passwordRequests: Pick<PasswordRequests, 'office'>
  uploads: Pick<Uploads, 'viewForOffice'>
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
export function mountReviews(call: OfficeCall, parts: ReviewParts): void {
  const { idResolver, requestFacts, seen, uploads } = parts
  const listOf = createReviewList(parts)
  mountMoneyReviews(call, parts)

  const submissions = parts.verifications.office
  const { verifications } = officeRoutes
  call(verifications.list, (context) =>
    listOf('verifications', context, (...asked) => submissions.list(...asked)),
  )
  call(verifications.show, async ({ params, actor }) => {
    const shown = await requestFacts.verification(await idResolver.memberOrInput(params.id))
    await seen.look('verification', shown, actor)
    return shown
  })
  const free = createFreeItem(parts)
  call(verifications.approve, async (context) => {
    const { params, actor, role } = context
    const shown = await submissions.show(await idResolver.memberOrInput(params.id))
    const { id, status } = shown
    if (status !== 'under_review') throw new ApiError('CONFLICT')
    const before = await readBefore(parts.verifications, shown)
    // Who revoked the one before would else make the account another person's alone.
    const takesOther = before?.differs === true && (role === null || before.revokedBy === actor)
    if (takesOther && (await parts.acts.isNeeded())) throw new ApiError('SECOND_PERSON')
    await free('verifications', id, actor)
    await seen.assertSeen(personOf(context), 'verification', id)
    return submissions.approve(id, actor)
  })
  call(verifications.reject, async ({ params, body, actor }) => {
    const id = await submissions.idOf(await idResolver.memberOrInput(params.id))
    return submissions.reject(await free('verifications', id, actor), body.reason, actor)
  })

  call(verifications.revoke, async ({ params, body, actor }) =>
    submissions.revoke(await idResolver.memberOrInput(params.id), body.reason, actor),
  )
  mountPasswordRequests(call, parts)
  call(officeRoutes.uploads.show, async ({ params, actor, role, reply }) => {
    const purposes = role === null ? undefined : purposesOf[role]
    const { type, data } = await uploads.viewForOffice(params.id, actor, purposes)
    await reply.type(type).send(data)
    return undefined
  })
}

function mountPasswordRequests(call: OfficeCall, parts: ReviewParts): void {
  const { requestFacts, seen } = parts
  const listOf = createReviewList(parts)
  const free = createFreeItem(parts)
  const requests = parts.passwordRequests.office
  const passwordRequests = officeRoutes['password-requests']
  call(passwordRequests.list, (context) =>
    listOf('password-requests', context, (...asked) => requests.list(...asked)),
  )
  call(passwordRequests.show, async ({ params: { id }, actor }) => {
    const shown = await requestFacts['password-request'](id)
    await seen.look('password-request', shown, actor)
    return { ...shown, takesTwo: await parts.acts.isNeeded() }
  })
  call(passwordRequests.approve, async (context) => {
    const { id, memberId, status, recovery } = await requests.show(context.params.id)
    if (status !== 'under_review') throw new ApiError('CONFLICT')
    await free('password-requests', id, context.actor)
    const open = await seen.assertSeen(personOf(context), 'password-request', id)
    const { note, called } = context.body
    // Who confirms it confirms what was proposed: that the first one called, too.
    const isCalled = open === null ? called === true : open.params['called'] === true
    // The link and the first code are all that a thief of the account lacks.
    if (recovery && !isCalled) throw new ApiError('VALIDATION', { fields: { called: 'REQUIRED' } })
    const params = isCalled ? { called: true } : {}
    const first = recovery && open === null ? requests.newFirstCode(id) : undefined
    const subject = { kind: 'password-request', id }
    const request = { subject, memberId, params, note, confirms: open, firstCodeHash: first?.hash }
    const { done, proposal } = await parts.acts.approvePassword(request, personOf(context))
    // What waits for a second person is no longer the first one's work.
    if (proposal) await parts.queues.release('password-requests', id, context.actor)
    return { ...(done ?? { ...(await requests.show(id)), firstCode: first?.code }), proposal }
  })
  call(passwordRequests.reject, async ({ params, body, actor }) =>
    requests.reject(await free('password-requests', params.id, actor), body.reason, actor),
  )
}
