import { officeRoutes } from '../../../contract/office/routes.ts'
import { call } from '../../api.ts'
import { useOfficeList } from '../../data/useOfficeCall.ts'
import { useTexts } from '../../i18n.ts'
import { useMay } from '../../state/staff.ts'
import { Thread } from '../members/Thread.tsx'
import type { RequestProps } from './requestProps.ts'
import { RequestLayout } from './RequestLayout.tsx'
import { ThreadMember } from './ThreadMember.tsx'
import { useMemberFacts } from './useMemberFacts.ts'
import { useMemberOf } from './useMemberOf.ts'

const { service } = officeRoutes

/** A member's thread with customer service; in its queue the id is the member's. */
export function ThreadRequest({ id, ...props }: RequestProps) {
  const t = useTexts()
  const may = useMay()
  const params = { id }
  const { items, first } = useOfficeList(service.show, { params })
  const facts = useMemberFacts(id)
  const person = facts.facts ?? first?.member
  const member = useMemberOf('service', id, { memberId: id }, person)
  const reads = {
    language: member?.language ?? first?.member?.language ?? null,
    writesIn: member?.writesIn ?? null,
  }
  const isUnread = items.some(({ from, read }) => from === 'member' && !read)
  return (
    <RequestLayout
      {...props}
      queue="service"
      id={id}
      title={t('queue.service.title')}
      member={member}
      actions={[
        isUnread &&
          may('service.done') && {
            key: 'd',
            label: 'thread.done',
            done: 'thread.wasDone',
            summary: t('thread.doneEffect'),
            run: () => call(service.done, { params }),
            undo: () => ({ done: 'thread.reopened', run: () => call(service.reopen, { params }) }),
          },
      ]}
    >
      <ThreadMember read={facts}>
        <Thread memberId={id} reads={reads} held={facts.facts?.assets.held} onNext={props.onDecided} />
      </ThreadMember>
    </RequestLayout>
  )
}
