import { moneyOf } from '../../../contract/money.ts'
import { assertNever } from '../../../contract/units.ts'
import { useOfficeFormat } from '../../data/useOfficeFormat.ts'
import { useTexts } from '../../i18n.ts'
import { useSession } from '../../state/staff.ts'
import type { Deposit } from './shownRequests.ts'

type SumOf = Pick<Deposit, 'amount' | 'inDay' | 'proposal' | 'alone'>

/** In words, how an amount stands to what one person decides, as the venue counts it; nothing if it is far from it. */
export function useSumDanger(): (of: SumOf) => string[] {
  const t = useTexts()
  const format = useOfficeFormat()
  const me = useSession().staff.name
  return ({ amount, inDay, proposal, alone }: SumOf): string[] => {
    const money = (text: string): string => format.money(text, 'never')
    const isOfMember = alone.nearer === 'ofMember'
    const decided = alone[alone.nearer]
    const values = { amount: money(amount), limit: money(isOfMember ? alone.above : alone.aboveInAll) }
    const name = proposal?.proposedBy
    const isSecond = name !== undefined && name !== me
    const added = { ...values, decided: money(decided) }
    const isAdded = !isSecond && moneyOf(decided) > 0
    switch (alone.state) {
      case 'above':
        if (isSecond) return [t('danger.aboveForSecond', { ...values, name })]
        if (moneyOf(amount) > moneyOf(alone.above))
          return [t('danger.aboveLimit', { ...values, limit: money(alone.above) })]
        if (!isAdded) return [t('danger.aboveLimit', values)]
        return [t(isOfMember ? 'danger.aboveWith' : 'danger.aboveWithAll', added)]
      case 'near':
        if (!isAdded) return [t('danger.nearLimit', values)]
        return [t(isOfMember ? 'danger.nearWith' : 'danger.nearWithAll', added)]
      case 'day': {
        const day = { count: inDay.count, amount: money(inDay.amount), limit: money(alone.above) }
        return [t('danger.inDay', day)]
      }
      case 'below':
        return []
      default:
        return assertNever(alone.state)
    }
  }
}
