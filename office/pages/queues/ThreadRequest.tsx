import { useTexts } from '../../i18n.ts'
import { Thread } from '../members/Thread.tsx'
import type { RequestProps } from './RequestDetail.tsx'
import { RequestFrame } from './RequestFrame.tsx'
import { useMemberOf } from './useMemberOf.ts'

/** A member's thread with customer service; in its queue the id is the member's. */
export function ThreadRequest({ id, ...props }: RequestProps) {
  const t = useTexts()
  const member = useMemberOf('service', { memberId: id })
  return (
    <RequestFrame {...props} queue="service" id={id} title={t('queue.service.title')} member={member}>
      <Thread memberId={id} />
    </RequestFrame>
  )
}
