import type { ReactNode } from 'react'
import type { backOfficeRoutes } from '../../../contract/backOffice.ts'
import type { RouteAnswer } from '../../../contract/route.ts'
import type { TextKey } from '../../i18n.ts'
import { Overview } from './Overview.tsx'
import { Fund } from './Fund.tsx'
import { Ledger } from './Ledger.tsx'
import { Orders } from './Orders.tsx'
import { Requests } from './Requests.tsx'
import { Sessions } from './Sessions.tsx'
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
    name: 'orders',
    label: 'member.orders',
    call: 'members.orders',
    view: ({ id }) => <Orders memberId={id} />,
  },
  {
    name: 'ledger',
    label: 'member.ledger',
    call: 'members.ledger',
    view: ({ id }) => <Ledger memberId={id} />,
  },
  {
    name: 'requests',
    label: 'member.requests',
    call: 'members.list',
    view: ({ id }) => <Requests memberId={id} />,
  },
  { name: 'fund', label: 'member.fund', call: 'members.fund', view: ({ id }) => <Fund memberId={id} /> },
  {
    name: 'sessions',
    label: 'member.sessions',
    call: 'members.sessions',
    view: ({ id }) => <Sessions memberId={id} />,
  },
  {
    name: 'thread',
    label: 'queue.service.title',
    call: 'service.show',
    view: ({ id }) => <ThreadTab memberId={id} />,
  },
]
