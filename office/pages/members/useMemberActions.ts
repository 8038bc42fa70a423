import { freezeReasons } from '../../../contract/freeze.ts'
import type { FreezeReason } from '../../../contract/freeze.ts'
import { backOfficeRoutes } from '../../../contract/backOffice.ts'
import { actionsOf } from '../../actions/action.ts'
import type { Action } from '../../actions/action.ts'
import { call } from '../../api.ts'
import { useTexts } from '../../i18n.ts'
import { useMay } from '../../state/staff.ts'
import type { MemberView } from './recordTabs.tsx'

const { members, verifications } = backOfficeRoutes

/** What may be done to an account. Freezing and unbinding take a second person. */
export function useMemberActions(member: MemberView | undefined): Action[] {
  const t = useTexts()
  const may = useMay()
  if (member === undefined) return []
  const params = { id: member.id }
  const summary = member.account
  const isFrozen = member.frozen !== null
  return actionsOf([
    !isFrozen &&
      may('members.freeze') && {
        key: 'f',
        label: 'member.freeze',
        done: 'member.isFrozen',
        summary: t('member.freezeEffect', { account: member.account }),
        needs: {
          kind: 'choice',
          field: 'column.reason',
          options: freezeReasons.map((value) => ({ value, label: t(`member.reasons.${value}`) })),
        },
        run: (reason) =>
          call(members.freeze, { params, body: { reason: reason as FreezeReason, tellMember: true } }),
      },
    isFrozen &&
      may('members.renew-freeze') && {
        key: 'f',
        label: 'member.renew',
        done: 'member.renewed',
        summary,
        run: () => call(members['renew-freeze'], { params }),
      },
    isFrozen &&
      may('members.unfreeze') && {
        key: 'z',
        label: 'member.unfreeze',
        done: 'member.unfrozen',
        summary,
        run: () => call(members.unfreeze, { params }),
      },
    may('members.end-sessions') && {
      key: 'e',
      label: 'member.endSessions',
      done: 'member.sessionsEnded',
      summary: t('member.endSessionsEffect', { account: member.account }),
      run: () => call(members['end-sessions'], { params }),
    },
    member.verification === 'verified' &&
      may('verifications.revoke') && {
        key: 't',
        label: 'member.revoke',
        done: 'member.revoked',
        summary,
        needs: { kind: 'reason', topic: 'verifications' },
        run: (reason) => call(verifications.revoke, { params, body: { reason } }),
      },
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
