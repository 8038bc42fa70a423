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

/** The member's conversation with customer service: its pages, what comes in live, and a way to write. */
export function useThread() {
  const { service$ } = useStreams()
  const { items, cursor, loading, failure, more, reload, retry } = usePages(load)
  const [since, setSince] = useState<readonly ServiceMessage[]>([])
  const put = useCallback((message: ServiceMessage) => setSince((before) => withMessage(before, message)), [])
  useEffect(() => {
    const events = service$.subscribe(put)
    return () => events.unsubscribe()
  }, [service$, put])
  const messages = useMemo(() => mergeMessages(items, since), [items, since])
  /** Sends once, without a second try by itself. Answers with why it was not sent. */
  const write = useCallback(
    async (body: string, uploadId: string | undefined): Promise<Failure | undefined> => {
      const sent = { body, ...(uploadId === undefined ? {} : { uploadId }) }
      const result = await call(contentRoutes.writeService, { body: sent })
      if (!result.ok) return result.failure
      put(result.value)
      return undefined
    },
    [put],
  )
  return { messages, cursor, loading, failure, more, reload, retry, write }
}
export type Thread = ReturnType<typeof useThread>
