import { useState } from 'react'
import type { Language } from '../../../contract/constants.ts'
import type { QueueItem, QueueName } from '../../../contract/office/queues.ts'
import type { Reads } from '../../ui/useReadLanguage.ts'
import { useQueueItem } from './useQueueItem.ts'

/** `account` is null until it is known; so is what is known of the language in which the member reads. */
export type MemberOf = { id: string; account: string | null } & Reads

type Listed = Pick<QueueItem, 'memberId' | 'account' | 'language'>
const isSame = (a: Listed, b: Listed | undefined): boolean =>
  a.memberId === b?.memberId && a.account === b.account && a.language === b.language

/** Whose request it is: the queue says it, also after the request has left it, or else what was read about the member. */
export function useMemberOf(
  queue: QueueName,
  id: string,
  request: { memberId: string } | undefined,
  person: { account: string; writesIn?: Language | null } | undefined,
): MemberOf | null {
  const item = useQueueItem(queue, id)
  const [known, setKnown] = useState<Listed>()
  if (request === undefined) return null
  const current = item?.memberId === request.memberId ? item : undefined
  if (current !== undefined && !isSame(current, known)) setKnown(current)
  const before = known?.memberId === request.memberId ? known : undefined
  const listed = current ?? before
  return {
    id: request.memberId,
    account: listed?.account ?? person?.account ?? null,
    language: listed?.language ?? null,
    writesIn: person?.writesIn ?? null,
  }
}
