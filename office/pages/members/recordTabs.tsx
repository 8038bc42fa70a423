import type { ReactNode } from 'react'
import type { backOfficeRoutes } from '../../../contract/backOffice.ts'
import type { RouteAnswer } from '../../../contract/route.ts'
import type { TextKey } from '../../i18n.ts'
import { Overview } from './Overview.tsx'
import { ThreadTab } from './ThreadTab.tsx'

export type MemberView = RouteAnswer<typeof backOfficeRoutes.members.show>

export type RecordTab = {
  name: string
  label: TextKey
  /** Shown if the role may make this call. */
  call: string
  view: (member: MemberView) => ReactNode
}

/** The parts of a member's record, in the order of their digits. */
export const recordTabs: readonly RecordTab[] = [
  {
    name: 'overview',
    label: 'member.overview',
    call: 'members.show',
    view: (member) => <Overview member={member} />,
  },
  {
    name: 'thread',
    label: 'queue.service.title',
    call: 'service.show',
    view: ({ id }) => <ThreadTab memberId={id} />,
  },
]
