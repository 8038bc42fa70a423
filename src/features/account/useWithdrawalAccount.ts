import { useEffect } from 'react'
import type { RouteAnswer } from '../../../contract/route.ts'
import { withdrawalRoutes, type WithdrawalRest } from '../../../contract/withdrawals.ts'
import { useMinute } from '../../hooks/useMinute.ts'
import { valueOf } from '../../hooks/useObservable.ts'
import { useResource, type ResourceSource } from '../../hooks/useResource.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { isReadEvent } from '../../hooks/useUnread.ts'
import { patchUser } from '../../state/session.ts'

const accountSource: ResourceSource<RouteAnswer<typeof withdrawalRoutes.withdrawalAccount>> = {
  fetch: (call, signal) => call(withdrawalRoutes.withdrawalAccount, {}, { signal }),
}

/**
 * The bound withdrawal account, null if there is none, the pause of withdrawals, and the deposits that wait for a
 * second person. It has no event of its own: every change is announced by a message or is one of a deposit, so these
 * reload it.
 */
export function useWithdrawalAccount() {
  const { event$ } = useStreams()
  const { loadable, reload } = useResource(accountSource)
  useEffect(() => {
    const messages = event$('message').subscribe((message) => void (isReadEvent(message) || reload()))
    messages.add(event$('deposit').subscribe(reload))
    return () => messages.unsubscribe()
  }, [event$, reload])
  const account = valueOf(loadable)?.account
  useEffect(() => {
    if (account !== undefined) patchUser({ hasWithdrawalAccount: account !== null })
  }, [account])
  const rest = useRestInProgress(valueOf(loadable)?.rest ?? null)
  return { account, rest, awaiting: valueOf(loadable)?.awaiting ?? null, loadable, reload }
}

/** Null as soon as the pause ends. */
function useRestInProgress(rest: WithdrawalRest | null): WithdrawalRest | null {
  const now = useMinute()
  return rest !== null && rest.endsAt > now ? rest : null
}
