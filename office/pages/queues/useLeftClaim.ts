import { useEffect, useEffectEvent } from 'react'
import { officeRoutes } from '../../../contract/office/routes.ts'
import { useTellDone } from '../../actions/useUndo.ts'
import { call } from '../../api.ts'
import { useRefreshAll } from '../../data/useOfficeCall.ts'
import { useTexts } from '../../i18n.ts'
import { claimLeftAt, forgetClaim, type HeldClaim } from '../../state/heldClaim.ts'

const { queues } = officeRoutes

/** Gives up the undecided claim of a user who opens a queue or a list, so that it keeps no colleague from the request. */
export function useLeftClaim(path: string): void {
  const t = useTexts()
  const tellDone = useTellDone()
  const refresh = useRefreshAll()
  const release = useEffectEvent(async ({ queue, id, name }: HeldClaim): Promise<void> => {
    const of = { params: { id: queue }, body: { item: id } }
    const result = await call(queues.release, of)
    if (!result.ok || !result.value.released) return
    tellDone(t('claim.released'), name, { done: 'claim.takenAgain', run: () => call(queues.claim, of) })
    await refresh()
  })
  useEffect(() => forgetClaim, [])
  useEffect(() => {
    const left = claimLeftAt(path)
    if (left !== null) void release(left)
  }, [path])
}
