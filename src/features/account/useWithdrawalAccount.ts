import { useCallback, useEffect } from 'react'
import { withdrawalRoutes } from '../../../contract/withdrawals.ts'
import { call } from '../../api/venue.ts'
import { useRequest, valueOf } from '../../hooks/useRequest.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { isReadEvent } from '../../hooks/useUnread.ts'
import { patchUser } from '../../state/session.ts'

/**
 * The bound withdrawal account; null if there is none. It has no event of its own: customer service announces a change
 * by a message, so a message reloads it.
 */
export function useWithdrawalAccount() {
  const { event$ } = useStreams()
  const load = useCallback(
    (signal: AbortSignal) => call(withdrawalRoutes.withdrawalAccount, {}, { signal }),
    [],
  )
  const { loadable, reload } = useRequest(load)
  useEffect(() => {
    const messages = event$('message').subscribe((message) => void (isReadEvent(message) || reload()))
    return () => messages.unsubscribe()
  }, [event$, reload])
  const account = valueOf(loadable)?.account
  useEffect(() => {
    if (account !== undefined) patchUser({ hasWithdrawalAccount: account !== null })
  }, [account])
  return { account, loadable, reload }
}
