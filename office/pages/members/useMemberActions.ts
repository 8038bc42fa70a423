import { freezeReasons, type FreezeReason } from '../../../contract/freeze.ts'
import { officeRoutes } from '../../../contract/office/routes.ts'
import { actionsOf, type Action } from '../../actions/action.ts'
import { call } from '../../api.ts'
import { useTexts, type Texts } from '../../i18n.ts'
import { useMay } from '../../state/staff.ts'
import type { MemberView } from './memberView.ts'

const { members, verifications } = officeRoutes

/** What may be done to an account. Freezing and unbinding take a second person. */
export function useMemberActions(member: MemberView | undefined): Action[] {
  const t = useTexts()
  const may = useMay()
  if (member === undefined) return []
  const params = { id: member.id }
  const summary = member.account
  return actionsOf([
    ...freezeActions(member, { t, may }),
    may('members.end-sessions') && {
      key: 'e',
      label: 'member.endSessions',
      done: 'member.sessionsEnded',
      harm: true,
      isFinal: true,
      summary: t('member.endSessionsEffect', { account: member.account }),
      run: () => call(members['end-sessions'], { params }),
    },
    member.verification === 'verified' &&
      may('verifications.revoke') && {
        key: 't',
        label: 'member.revoke',
        done: 'member.revoked',
        harm: true,
        isFinal: true,
        summary,
        needs: { kind: 'reason', topic: 'verifications', member },
        run: (reason) => call(verifications.revoke, { params, body: { reason } }),
      },
    member.hasWithdrawalAccount &&
      may('withdrawal-accounts.unbind') && {
        key: 'b',
        label: 'member.unbind',
        done: 'member.unbound',
        harm: true,
        summary: t('member.unbindEffect', { account: member.account }),
        run: () => call(officeRoutes['withdrawal-accounts'].unbind, { params }),
      },
  ])
}

type Own = { t: Texts; may: (call: string) => boolean }

/** Two persons freeze; one lifts it. */
function freezeActions(member: MemberView, { t, may }: Own): (Action | false)[] {
  const params = { id: member.id }
  const isFrozen = member.frozen !== null
  return [
    !isFrozen &&
      may('members.freeze') && {
        key: 'f',
        label: 'member.freeze',
        done: 'member.isFrozen',
        harm: true,
        summary: t('member.freezeEffect', { account: member.account }),
        needs: {
          kind: 'choice',
          field: 'column.reason',
          isOpen: true,
          options: freezeReasons.map((value) => ({ value, label: t(`member.reasons.${value}`) })),
        },
        run: (reason) =>
          call(members.freeze, { params, body: { reason: reason as FreezeReason, tellMember: true } }),
        undo: () =>
          may('members.unfreeze')
            ? { done: 'member.freezeUndone', run: () => call(members.unfreeze, { params }) }
            : null,
      },
    isFrozen &&
      may('members.renew-freeze') && {
        key: 'f',
        label: 'member.renew',
        done: 'member.renewed',
        summary: member.account,
        run: () => call(members['renew-freeze'], { params }),
      },
    isFrozen &&
      may('members.unfreeze') && {
        key: 'z',
        label: 'member.unfreeze',
        done: 'member.unfrozen',
        summary: t('member.unfreezeEffect', { account: member.account }),
        run: () => call(members.unfreeze, { params }),
      },
  ]
}
