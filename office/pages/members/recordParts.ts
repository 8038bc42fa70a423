import type { TextKey } from '../../i18n.ts'

export type RecordPart = {
  name: string
  label: TextKey
  /** Shown if the role may make this call. */
  call: string
}

/** The parts of a member's record, in the order of their digits, which are the same in every role. */
export const recordParts = [
  { name: 'overview', label: 'member.overview', call: 'members.show' },
  { name: 'orders', label: 'member.orders', call: 'members.orders' },
  { name: 'ledger', label: 'member.ledger', call: 'members.ledger' },
  { name: 'requests', label: 'member.requests', call: 'members.list' },
  { name: 'fund', label: 'member.fund', call: 'members.fund' },
  { name: 'sessions', label: 'member.sessions', call: 'members.sessions' },
  { name: 'thread', label: 'queue.service.title', call: 'service.show' },
  { name: 'timeline', label: 'member.timeline', call: 'members.timeline' },
  { name: 'notes', label: 'member.notes', call: 'members.notes' },
] as const satisfies readonly RecordPart[]
export type RecordPartName = (typeof recordParts)[number]['name']
