import { officeRoutes } from '../../../contract/office/routes.ts'
import { useOfficeCall } from '../../data/useOfficeCall.ts'
import { useTexts } from '../../i18n.ts'
import { Facts } from '../../ui/Facts.tsx'
import { closedUntilSeen } from './closedUntilSeen.ts'
import { declinedWarnings } from './declinedWarnings.ts'
import { MemberMarks } from './MemberMarks.tsx'
import { PasswordFacts } from './PasswordFacts.tsx'
import type { RequestView } from './requestView.ts'
import type { NewPassword } from './shownRequests.ts'
import { dangerOfMember, useDangers } from './useDangers.ts'
import { useMemberFacts } from './useMemberFacts.ts'

const requests = officeRoutes['password-requests']

/** What decides a request for a new password. */
export function usePasswordView(id: string): RequestView<NewPassword> & { tick: string | undefined } {
  const t = useTexts()
  const { data, failure } = useOfficeCall(requests.show, { params: { id } }, { alwaysFresh: true })
  const read = useMemberFacts(data?.memberId)
  const { facts, isReady } = read
  const dangers = useDangers()
  const warnings =
    data?.status === 'under_review'
      ? [...dangers.ofPassword(data, facts), ...declinedWarnings(t, data.declined)]
      : []
  const { accept } = closedUntilSeen(t, 'shown', isReady)
  const asked = data !== undefined && [
    { label: t('password.kind'), value: t(`password.${data.kind}`) },
    data.recovery && { label: t('password.old'), value: t('password.forgotten') },
    {
      label: t('password.given'),
      value: t(
        data.recovery || data.provenBy === null ? 'password.givenPhone' : `password.proof.${data.provenBy}`,
      ),
    },
    data.recovery &&
      data.proposal !== null && {
        label: t('audit.detail.called'),
        value: t(data.proposal.params['called'] === true ? 'audit.yes' : 'audit.no'),
      },
  ]
  const person = facts !== undefined && [
    { label: t('withdrawal.verifiedName'), value: facts.verifiedName ?? t('withdrawal.notVerified') },
    { label: t('member.phone'), value: facts.phone ?? t('facts.none') },
  ]
  // A person who has forgotten a password has shown nothing that only the member has: a call to the registered number does.
  const check = data?.recovery === true && facts !== undefined && (
    <p>{facts.phone === null ? t('password.noPhone') : t('password.call', { phone: facts.phone })}</p>
  )
  const end = data?.recovery === true ? facts?.phone?.slice(-4) : undefined
  return {
    data,
    failure,
    tick: end === undefined ? undefined : t('password.called', { end }),
    person: facts,
    closed: { accept, reject: undefined },
    danger: dangerOfMember(warnings, facts?.account),
    summary: (
      <>
        <MemberMarks facts={facts} />
        <Facts items={[...(person || []), ...(asked || [])]} />
        {check}
        {data?.takesTwo === true && data.proposal === null && <p>{t('proposal.follows')}</p>}
        {data?.proposal && data.recovery && <p>{t('password.linkFollows')}</p>}
      </>
    ),
    body: data !== undefined && (
      <PasswordFacts request={data} asked={asked || []} check={check} read={read} />
    ),
  }
}
