import { isQueueName, type QueueName } from '../../../contract/office/queues.ts'
import { navigate, pathWith } from '../../../src/router/hashLocation.ts'

export type RequestInRecord = { queue: QueueName; id: string }

/** Opens a request beside the others of its member, so that the record stays; like its tabs, it is no step of its own for Back. */
export const openInRecord = (memberId: string, { queue, id }: RequestInRecord): void =>
  navigate(pathWith(`/members/${memberId}`, { tab: 'requests', request: `${queue} ${id}` }), {
    replace: true,
  })

/** The request that an address opens in the record. */
export function requestInAddress(text: string | null): RequestInRecord | null {
  const [queue = '', id] = (text ?? '').split(' ')
  return id === undefined || !isQueueName(queue) ? null : { queue, id }
}

const queueOfKind: Readonly<Record<string, QueueName>> = {
  deposit: 'deposits',
  withdrawal: 'withdrawals',
  verification: 'verifications',
  'password-request': 'password-requests',
}

type Event = { id: string; kind: string; subject: { kind: string; id: string } | null }

/** The request that an event of the timeline is about; null if there is none, or the role may not see it. */
export function requestOf(
  { id, kind, subject }: Event,
  may: (call: string) => boolean,
): RequestInRecord | null {
  const queue = queueOfKind[subject?.kind ?? kind]
  if (queue === undefined || !may(`${queue}.show`)) return null
  return { queue, id: subject?.id ?? id.slice(kind.length + 1) }
}
