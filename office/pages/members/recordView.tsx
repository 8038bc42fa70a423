import type { ReactNode } from 'react'
import { assertNever } from '../../../contract/units.ts'
import { Overview } from './Overview.tsx'
import { Fund } from './Fund.tsx'
import { Ledger } from './Ledger.tsx'
import { Notes } from './Notes.tsx'
import { Orders } from './Orders.tsx'
import { Requests } from './Requests.tsx'
import { Sessions } from './Sessions.tsx'
import { Timeline } from './Timeline.tsx'
import { ThreadTab } from './ThreadTab.tsx'
import type { MemberView } from './memberView.ts'
import type { RecordPartName } from './recordParts.ts'
import { RecordMember } from './recordMember.ts'
import type { RequestInRecord } from './requestInRecord.ts'

/** What of a part the address opens. */
export type Opens = { orderId: string | null; request: RequestInRecord | null }

/** A part of a member's record. */
export function recordView(part: RecordPartName, member: MemberView, { orderId, request }: Opens): ReactNode {
  const { id } = member
  switch (part) {
    case 'overview':
      return <Overview member={member} />
    case 'orders':
      return <Orders key={orderId} memberId={id} orderId={orderId} />
    case 'ledger':
      return <Ledger memberId={id} />
    case 'requests':
      return (
        <RecordMember value={member}>
          <Requests memberId={id} open={request} />
        </RecordMember>
      )
    case 'fund':
      return <Fund memberId={id} />
    case 'sessions':
      return <Sessions memberId={id} />
    case 'thread':
      return <ThreadTab member={member} />
    case 'timeline':
      return <Timeline memberId={id} />
    case 'notes':
      return <Notes memberId={id} isClosed={member.closedAt !== null} />
    default:
      return assertNever(part)
  }
}
