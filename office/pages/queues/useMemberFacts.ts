import type { MemberFacts } from '../../../contract/office/memberFacts.ts'
import { officeRoutes } from '../../../contract/office/routes.ts'
import type { Failure } from '../../../streams/index.ts'
import { useOfficeCall } from '../../data/useOfficeCall.ts'
import { useMay } from '../../state/staff.ts'

export type FactsRead = {
  facts: MemberFacts | undefined
  failure: Failure | undefined
  /** Whether a request can be decided as far as its member goes: false until they are read in this opening. */
  isReady: boolean
}

/** What decides a request of a member: undefined until its member is known, null if it has none. */
export function useMemberFacts(memberId: string | null | undefined): FactsRead {
  const asks = useMay()('members.facts') && typeof memberId === 'string'
  const { data, failure } = useOfficeCall(
    officeRoutes.members.facts,
    { params: { id: memberId ?? '' } },
    { enabled: asks, alwaysFresh: true },
  )
  return { facts: data, failure, isReady: memberId !== undefined && (!asks || data !== undefined) }
}
