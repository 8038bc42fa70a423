import { officeRoutes } from '../../../contract/office/routes.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { Freezes } from '../../money/index.ts'
import { personOf, type Acts } from './acts.ts'
import type { OfficeCall } from './officeCall.ts'
import type { IdResolver } from './idResolver.ts'

type FreezeParts = { acts: Acts; freezes: Freezes; idResolver: IdResolver }

/** Freezing an account, which two persons do and one undoes. */
export function mountFreezes(call: OfficeCall, { acts, freezes, idResolver }: FreezeParts): void {
  const { members } = officeRoutes
  const requestFor = async (idOrAccount: string) => {
    const memberId = await idResolver.member(idOrAccount)
    return { subject: { kind: 'member', id: memberId }, memberId }
  }
  call(members.freeze, async (context) => {
    const { reason, tellMember } = context.body
    const request = { ...(await requestFor(context.params.id)), params: { reason, tellMember } }
    // Rejected at once, not only when another person confirms it.
    if (await freezes.current(request.memberId)) throw new ApiError('CONFLICT')
    const { done, proposal } = await acts.freeze(request, personOf(context))
    return { freeze: done, proposal }
  })
  call(members['renew-freeze'], async (context) => {
    const request = { ...(await requestFor(context.params.id)), params: {} }
    if (!(await freezes.current(request.memberId))) throw new ApiError('NOT_FOUND')
    const { done, proposal } = await acts.renewFreeze(request, personOf(context))
    return { freeze: done, proposal }
  })
  call(members.unfreeze, async ({ params, actor }) => ({
    freeze: await freezes.end(await idResolver.member(params.id), actor),
  }))
}
