import { moneyOf } from '../../../contract/money.ts'
import type { Proposal } from '../../../contract/office/fourEyes.ts'
import type { Format } from '../../../src/text/format.ts'
import type { Danger } from '../../actions/action.ts'
import type { Texts } from '../../i18n.ts'
import { paramOf } from './proposedText.ts'

type Proposed = Pick<Proposal, 'act' | 'params'>

/** What of an act about the venue or its staff gives more power than it looks: both persons type what it is about. */
export function proposedDanger(t: Texts, format: Format, { act, params }: Proposed): Danger | undefined {
  if (act === 'limits.withdrawals') return dangerOfLimit(t, format, params)
  const name = paramOf(params, 'name')
  const makesAdmin = paramOf(params, 'role') === 'admin' && paramOf(params, 'from') !== 'admin'
  if ((act === 'staff.role' || act === 'staff.create') && makesAdmin)
    return { warnings: [t('danger.becomesAdmin', { name })], word: name }
  return act === 'staff.enrol' && paramOf(params, 'status') === 'disabled'
    ? { warnings: [t('danger.enables', { name })], word: name }
    : undefined
}

/** Lowering it is none. */
function dangerOfLimit(t: Texts, format: Format, params: Proposed['params']): Danger | undefined {
  const [before, amount] = [paramOf(params, 'twoPersonsAboveBefore'), paramOf(params, 'twoPersonsAbove')]
  if (before === '' || moneyOf(amount) <= moneyOf(before)) return undefined
  const all = format.money(paramOf(params, 'twoPersonsAboveInAll'), 'never')
  return {
    warnings: [t('danger.raisesLimit', { amount: format.money(amount, 'never'), all })],
    amount,
  }
}
