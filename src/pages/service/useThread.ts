import { useCallback, useEffect, useMemo, useState } from 'react'
import { contentRoutes } from '../../../contract/content.ts'
import type { Failure, ServiceMessage } from '../../../streams/index.ts'
import { call } from '../../api/venue.ts'
import { usePages } from '../../hooks/usePages.ts'
import type { LoadPage } from '../../hooks/usePages.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { mergeMessages, withMessage } from './thread.ts'

const pageSize = '30'

const load: LoadPage<ServiceMessage> = (cursor, signal) => {
  const query = { limit: pageSize, ...(cursor === undefined ? {} : { cursor }) }
  return call(contentRoutes.service, { query }, { signal })
}

/** The member's conversation with customer service: its pages, live messages, and a function to write. */
export function useThread() {
  const { service$ } = useStreams()
  const { items, cursor, loading, failure, more, reload, retry } = usePages(load)
  const [since, setSince] = useState<readonly ServiceMessage[]>([])
  const append = useCallback(
    (message: ServiceMessage) => setSince((before) => withMessage(before, message)),
    [],
  )
  useEffect(() => {
    const events = service$.subscribe(append)
    return () => events.unsubscribe()
  }, [service$, append])
  const messages = useMemo(() => mergeMessages(items, since), [items, since])
  /** Sends once, without an automatic retry. Resolves with the failure, or undefined on success. */
  const write = useCallback(
    async (body: string, uploadId: string | undefined): Promise<Failure | undefined> => {
      const inappend = { body, ...(uploadId === undefined ? {} : { uploadId }) }
      const result = await call(contentRoutes.writeService, { body: inappend })
      if (!result.ok) return result.failure
      append(result.value)
      return undefined
    },
    [append],
  )
  return { messages, cursor, loading, failure, more, reload, retry, write }
}
export type Thread = ReturnType<typeof useThread>
