import { officeRoutes } from '../../../contract/office/routes.ts'
import type { Proposal } from '../../../contract/office/fourEyes.ts'
import type { Result } from '../../../src/api/result.ts'
import type { Action } from '../../actions/action.ts'
import { call } from '../../api.ts'
import { useTexts } from '../../i18n.ts'
import { useMay, useSession } from '../../state/staff.ts'
import type { RequestView } from './requestView.ts'

const { proposals } = officeRoutes
const reasonMax = 300

/** Whether one has proposed it oneself, so that another person decides. */
export const useIsOwn = (proposal: Pick<Proposal, 'proposedBy'> | null): boolean =>
  useSession().staff.name === proposal?.proposedBy

/**
 * What can be done with what waits for a second person, wherever it is open: who proposed it takes it back, another person
 * confirms or declines it. Nothing if nothing waits.
 */
export function useProposalActs(
  proposal: Proposal | null,
  { summary, danger, closed }: Pick<RequestView<unknown>, 'summary' | 'danger' | 'closed'>,
  /** Confirms it; false if the role may not. */
  confirm: false | (() => Promise<Result<unknown>>),
): (Action | false)[] {
  const t = useTexts()
  const may = useMay()
  const isOwn = useIsOwn(proposal)
  if (proposal?.status !== 'open') return []
  const params = { id: proposal.id }
  // The request's own call approves it: what would reject it is confirmed as a proposal.
  const rejects = proposal.act.endsWith('.reject')
  const confirmed = confirm && rejects ? () => call(proposals.confirm, { params }) : confirm
  if (isOwn) {
    return [
      may('proposals.cancel') && {
        key: 'x',
        label: 'proposal.cancel',
        done: 'proposal.cancelled',
        summary,
        run: () => call(proposals.cancel, { params }),
      },
    ]
  }
  return [
    confirmed && {
      key: 'a',
      label: rejects ? 'request.confirmRejection' : 'request.confirm',
      done: rejects ? 'request.rejected' : 'request.confirmed',
      main: true,
      isFinal: true,
      closed: rejects ? closed.reject : closed.accept,
      // What makes an approval dangerous is why it is rejected.
      ...(rejects ? { harm: true } : { danger }),
      summary,
      run: confirmed,
    },
    may('proposals.decline') && {
      key: 'r',
      label: 'proposal.decline',
      done: 'proposal.declined',
      harm: true,
      closed: closed.reject,
      // A deposit is credited before it waits for a second person.
      ...(proposal.act === 'deposits.approve' && { summary: t('deposit.declineMeans') }),
      needs: { kind: 'text', field: 'column.reason', maxLength: reasonMax },
      run: (reason) => call(proposals.decline, { params, body: { reason } }),
    },
  ]
}
