import { backOfficeRoutes } from '../../../contract/backOffice.ts'
import { actionsOf } from '../../actions/action.ts'
import type { Action } from '../../actions/action.ts'
import { call } from '../../api.ts'
import { useTexts } from '../../i18n.ts'
import { useMay } from '../../state/staff.ts'
import type { MemberView } from './recordTabs.tsx'

/** What may be done to an account. */
export function useMemberActions(member: MemberView | undefined): Action[] {
  const t = useTexts()
  const may = useMay()
  if (member === undefined) return []
  const params = { id: member.id }
  return actionsOf([
    member.hasWithdrawalAccount &&
      may('withdrawal-accounts.unbind') && {
        key: 'u',
        label: 'member.unbind',
        done: 'member.unbound',
        summary: t('member.unbindEffect', { account: member.account }),
        run: () => call(backOfficeRoutes['withdrawal-accounts'].unbind, { params }),
      },
  ])
}
