import { useEffect, useState } from 'react'
import type { PasswordKind } from '../../features/account/passwordKind.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import type { Message } from '../../../streams/index.ts'

export type Decision = 'approved' | 'declined'

const changedKeys: Record<PasswordKind, string> = {
  login: 'loginPasswordChanged',
  transaction: 'transactionPasswordChanged',
}

/** What customer service decides on a request of this kind while this is shown, from the new messages to the member. */
export function useDecision(kind: PasswordKind): Decision | undefined {
  const { messagesOf } = useStreams()
  const [decision, setDecision] = useState<Decision>()
  useEffect(() => {
    let known: ReadonlySet<string> | undefined
    const decided = messagesOf('account').state$.subscribe(({ items, cursor }) => {
      if (cursor === undefined) return
      const before = (known ??= new Set(items.map(({ id }) => id)))
      const [newest] = items.flatMap((message) => (before.has(message.id) ? [] : decisionOf(message, kind)))
      setDecision(newest)
    })
    return () => decided.unsubscribe()
  }, [messagesOf, kind])
  return decision
}

function decisionOf({ key, params }: Message, kind: PasswordKind): Decision[] {
  if (key === changedKeys[kind]) return ['approved']
  return key === 'passwordRequestFailed' && params['kind'] === kind ? ['declined'] : []
}
