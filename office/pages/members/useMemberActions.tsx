import { freezeReasons, type FreezeReason } from '../../../contract/freeze.ts'
import type { WaitingAct } from '../../../contract/office/fourEyes.ts'
import { officeRoutes } from '../../../contract/office/routes.ts'
import { actionsOf, type Action } from '../../actions/action.ts'
import { call } from '../../api.ts'
import { useTexts, type Texts } from '../../i18n.ts'
import { useMay } from '../../state/staff.ts'
import { actNameOf } from '../../ui/actNames.ts'
import type { MemberView } from './memberView.ts'

const { members, verifications } = officeRoutes

/** What may be done to an account. Where freezing and unbinding take two persons, the dialog says so, and what waits is proposed no more. */
export function useMemberActions(member: MemberView | undefined): Action[] {
  const t = useTexts()
  const may = useMay()
  if (member === undefined) return []
  const params = { id: member.id }
  const summary = member.account
  const ofTwo = ofTwoPersons(member, t)
  return actionsOf([
    ...freezeActions(member, { t, may, ofTwo }),
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
        ...ofTwo('withdrawal-accounts.unbind', t('member.unbindEffect', { account: member.account })),
        run: () => call(officeRoutes['withdrawal-accounts'].unbind, { params }),
      },
  ])
}

type Own = { t: Texts; may: (call: string) => boolean; ofTwo: ReturnType<typeof ofTwoPersons> }

/** The effect of what two persons do, as its dialog says it, and that it waits already. */
const ofTwoPersons =
  ({ takesTwo, proposals }: MemberView, t: Texts) =>
  (act: WaitingAct['act'], effect: string): Pick<Action, 'summary' | 'closed'> => {
    const waiting = proposals.find((one) => one.act === act)
    return {
      summary: (
        <>
          {takesTwo && <p>{t('proposal.nothingYet')}</p>}
          <p>{effect}</p>
        </>
      ),
      ...(waiting !== undefined && {
        closed: t('proposal.alreadyWaits', { act: actNameOf(t, act), name: waiting.proposedBy }),
      }),
    }
  }

/** Two persons freeze; one lifts it. */
function freezeActions(member: MemberView, { t, may, ofTwo }: Own): (Action | false)[] {
  const params = { id: member.id }
  const isFrozen = member.frozen !== null
  return [
    !isFrozen &&
      may('members.freeze') && {
        key: 'f',
        label: 'member.freeze',
        done: 'member.isFrozen',
        harm: true,
        ...ofTwo('members.freeze', t('member.freezeEffect', { account: member.account })),
        needs: {
          kind: 'choice',
          field: 'column.reason',
          hint: 'member.chooseHint',
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
        ...ofTwo('members.renew-freeze', t('member.renewEffect', { account: member.account })),
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
