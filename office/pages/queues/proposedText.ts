import type { QueueItem } from '../../../contract/office/queues.ts'
import type { FreezeReason } from '../../../contract/freeze.ts'
import type { StaffRole } from '../../../contract/office/staff.ts'
import type { Format } from '../../../src/text/format.ts'
import type { Texts } from '../../i18n.ts'

/** A text of what a proposal would do; '' if it has none of that name. */
export function paramOf(params: QueueItem['params'], name: string): string {
  const value = params?.[name]
  return typeof value === 'string' ? value : ''
}

/** What a proposal would change, in a few words: from what to what, or why. */
export function proposedText(
  t: Texts,
  format: Pick<Format, 'money'>,
  { act, params }: Pick<QueueItem, 'act' | 'params'>,
): string {
  const change = (from: string, to: string, said: (value: string) => string): string =>
    t('limit.fromTo', { from: said(paramOf(params, from)), to: said(paramOf(params, to)) })
  const role = (name: string): string => t(`role.${name as StaffRole}`)
  if (act === 'limits.withdrawals')
    return change('twoPersonsAboveBefore', 'twoPersonsAbove', (amount) => format.money(amount, 'never'))
  if (act === 'staff.role') return change('from', 'role', role)
  if (act === 'staff.create') return role(paramOf(params, 'role'))
  if (act === 'members.freeze') return t(`member.reasons.${paramOf(params, 'reason') as FreezeReason}`)
  return ''
}
