import { moneyOf } from '../../../contract/money.ts'
import type { Proposal } from '../../../contract/office/fourEyes.ts'
import type { Format } from '../../../src/text/format.ts'
import type { Danger } from '../../actions/action.ts'
import type { Texts } from '../../i18n.ts'

type Proposed = Pick<Proposal, 'act' | 'params'>

/** What of an act about the venue or its staff gives more power than it looks: both persons type what it is about. */
export function proposedDanger(t: Texts, format: Format, { act, params }: Proposed): Danger | undefined {
  const text = (name: string): string => String(params[name] ?? '')
  const name = text('name')
  switch (act) {
    case 'limits.withdrawals': {
      const [before, after] = [text('twoPersonsAboveBefore'), text('twoPersonsAbove')]
      if (before === '' || moneyOf(after) <= moneyOf(before)) return undefined
      const all = format.money(text('twoPersonsAboveInAll'), 'never')
      return {
        warnings: [t('danger.raisesLimit', { amount: format.money(after, 'never'), all })],
        amount: after,
      }
    }
    case 'staff.role':
    case 'staff.create':
      return text('role') === 'admin' && text('from') !== 'admin'
        ? { warnings: [t('danger.becomesAdmin', { name })], word: name }
        : undefined
    case 'staff.enrol':
      return text('status') === 'disabled'
        ? { warnings: [t('danger.enables', { name })], word: name }
        : undefined
    default:
      return undefined
  }
}
