import type { QueueItem } from '../../../contract/office/queues.ts'
import type { StaffRole } from '../../../contract/office/staff.ts'
import type { Format } from '../../../src/text/format.ts'
import type { Texts } from '../../i18n.ts'

/** What a proposal would change, in a few words: from what to what, or why. */
export function proposedText(
  t: Texts,
  format: Pick<Format, 'money'>,
  { act, params }: Pick<QueueItem, 'act' | 'params'>,
): string {
  const text = (name: string): string => String(params?.[name] ?? '')
  const money = (name: string): string => format.money(text(name), 'never')
  const role = (name: string): string => t(`role.${text(name) as StaffRole}`)
  switch (act) {
    case 'limits.withdrawals':
      return t('limit.fromTo', { from: money('twoPersonsAboveBefore'), to: money('twoPersonsAbove') })
    case 'staff.role':
      return t('limit.fromTo', { from: role('from'), to: role('role') })
    case 'staff.create':
      return role('role')
    case 'members.freeze':
      return t(`member.reasons.${text('reason') as 'death'}`)
    default:
      return ''
  }
}
