import { useEffect } from 'react'
import type { RouteAnswer } from '../../../contract/route.ts'
import { withdrawalRoutes } from '../../../contract/withdrawals.ts'
import type { WithdrawalRest } from '../../../contract/withdrawals.ts'
import { useMinute } from '../../hooks/useMinute.ts'
import { valueOf } from '../../hooks/useObservable.ts'
import { useResource } from '../../hooks/useResource.ts'
import type { ResourceSource } from '../../hooks/useResource.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { isReadEvent } from '../../hooks/useUnread.ts'
import { patchUser } from '../../state/session.ts'

const accountSource: ResourceSource<RouteAnswer<typeof withdrawalRoutes.withdrawalAccount>> = {
  fetch: (call, signal) => call(withdrawalRoutes.withdrawalAccount, {}, { signal }),
}

/**
 * The bound withdrawal account, null if there is none, and the rest of withdrawals. It has no event of its own: every
 * change is announced by a message, so a message reloads it.
 */
export function useWithdrawalAccount() {
  const { event$ } = useStreams()
  const { loadable, reload } = useResource(accountSource)
  useEffect(() => {
    const messages = event$('message').subscribe((message) => void (isReadEvent(message) || reload()))
    return () => messages.unsubscribe()
  }, [event$, reload])
  const account = valueOf(loadable)?.account
  useEffect(() => {
    if (account !== undefined) patchUser({ hasWithdrawalAccount: account !== null })
  }, [account])
  return { account, rest: useRestInProgress(valueOf(loadable)?.rest ?? null), loadable, reload }
}

/** Null as soon as the rest is over. */
function useRestInProgress(rest: WithdrawalRest | null): WithdrawalRest | null {
  const now = useMinute()
  return rest !== null && rest.endsAt > now ? rest : null
}
