import { officeRoutes } from '../../../contract/office/routes.ts'
import { Badge } from '../../../src/ui/Badge.tsx'
import { Button } from '../../../src/ui/Button.tsx'
import { useTellDone } from '../../actions/useUndo.ts'
import { call } from '../../api.ts'
import { useRun } from '../../data/useRun.ts'
import { useTexts } from '../../i18n.ts'
import { Keys } from '../../keys/Keys.tsx'
import { useCommands } from '../../keys/useCommands.ts'
import type { QueueName } from '../../../contract/office/queues.ts'
import { useMay, useSession } from '../../state/staff.ts'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { useQueueItem } from './useQueueItem.ts'

const { queues } = officeRoutes

/** Who works on a request. Claiming keeps two clerks from deciding the same one; it ends by itself. */
export function ClaimBar({ queue, id }: { queue: QueueName; id: string }) {
  const t = useTexts()
  const may = useMay()
  const me = useSession().staff.name
  const item = useQueueItem(queue, id)
  const claim = useRun(() => call(queues.claim, { params: { id: queue }, body: { item: id } }))
  const tellDone = useTellDone()
  const release = useRun(
    () => call(queues.release, { params: { id: queue }, body: { item: id } }),
    () =>
      tellDone(t('claim.released'), item?.no ?? item?.account ?? undefined, {
        done: 'claim.takenAgain',
        run: () => call(queues.claim, { params: { id: queue }, body: { item: id } }),
      }),
  )
  const isMine = item?.claim?.by === me
  const mayClaim = item !== undefined && item.proposedBy !== me && may('queues.claim')
  const change = isMine
    ? { label: 'claim.release' as const, keys: 'l', run: () => release.run() }
    : { label: 'claim.take' as const, keys: 'c', run: () => claim.run() }
  // A colleague's claim is not taken.
  const offers = mayClaim && (item.claim === null || isMine)
  useCommands([offers && { ...change, group: 'request' as const }])
  if (!mayClaim) return null
  return (
    <>
      <FailureLine failure={claim.failure ?? release.failure} />
      {item.claim !== null && <Badge>{isMine ? t('claim.me') : item.claim.by}</Badge>}
      {offers && (
        <Button variant="text" size="small" busy={claim.busy || release.busy} onClick={change.run}>
          {t(change.label)} <Keys keys={change.keys} />
        </Button>
      )}
    </>
  )
}
