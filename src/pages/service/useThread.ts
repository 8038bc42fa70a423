import { useCallback, useMemo } from 'react'
import { contentRoutes } from '../../../contract/content.ts'
import type { Failure, ServiceMessage } from '../../../streams/index.ts'
import { useCall } from '../../hooks/useCall.ts'
import { useList, type ListSource } from '../../hooks/useList.ts'

const threadSource: ListSource<ServiceMessage> = {
  load: (call, after, signal) =>
    call(contentRoutes.service, { query: { limit: '30', ...after } }, { signal }),
  event$: ({ service$ }) => service$,
}

/** The member's conversation with customer service, oldest first, live, and a function to write. */
export function useThread() {
  const call = useCall()
  const { items, cursor, loading, failure, more, retry, upsert } = useList(threadSource)
  const messages = useMemo(() => [...items].reverse(), [items])
  /** Sends once, without an automatic retry. Resolves with the failure, or undefined on success. */
  const write = useCallback(
    async (body: string, uploadId: string | undefined): Promise<Failure | undefined> => {
      const input = { body, ...(uploadId === undefined ? {} : { uploadId }) }
      const result = await call(contentRoutes.writeService, { body: input })
      if (!result.ok) return result.failure
      upsert(result.value)
      return undefined
    },
    [call, upsert],
  )
  return { messages, cursor, loading, failure, more, retry, write }
}
export type Thread = Omit<ReturnType<typeof useThread>, 'messages'> & { messages: readonly ServiceMessage[] }
