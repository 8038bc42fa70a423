import { useEffect, useState } from 'react'
import { pageDelayMs, pageTimeoutMs } from '../../contract/constants.ts'
import type { LazyPage, PageComponent } from './lazyPage.ts'
import type { LoadFailure } from '../start/reportFailure.ts'
import { useLazyValue } from '../start/useLazyValue.ts'

/** `waiting`: nothing is shown yet, because most pages load before a spinner would be noticed. */
export type PageState =
  | { state: 'waiting' }
  | { state: 'loading' }
  | { state: 'ready'; Page: PageComponent }
  | { state: 'failed'; failure: LoadFailure }

/**
 * Loads a page: nothing for 200 ms, then `loading`, and after 60 s a timeout with a retry. The file itself may take
 * longer (120 s); if it arrives, the page is shown.
 */
export function usePage(page: LazyPage): [PageState, retry: () => void] {
  const [attempt, setAttempt] = useState(0)
  const [shown, setShown] = useState<ShownPage>({ page, attempt, state: { state: 'waiting' } })
  const LoadedPage = useLazyValue(page)
  useEffect(() => {
    if (page.value) return undefined
    let isCancelled = false
    const show = (state: PageState): void => {
      if (!isCancelled) setShown({ page, attempt, state })
    }
    const delayTimer = setTimeout(() => show({ state: 'loading' }), pageDelayMs)
    const timeoutTimer = setTimeout(() => show({ state: 'failed', failure: 'timeout' }), pageTimeoutMs)
    const stop = (): void => {
      clearTimeout(delayTimer)
      clearTimeout(timeoutTimer)
    }
    const fetchPage = async (): Promise<void> => {
      const result = await (attempt > 0 ? page.getOrReload({ isRetry: true }) : page.get())
      stop()
      // A loaded page is shown by `useLazyValue`: a second state would render it twice.
      if (!result.ok) show({ state: 'failed', failure: result.failure })
    }
    void fetchPage()
    return () => {
      isCancelled = true
      stop()
    }
  }, [page, attempt])
  const retry = (): void => setAttempt((n) => n + 1)
  if (LoadedPage) return [{ state: 'ready', Page: LoadedPage }, retry]
  return [shown.page === page && shown.attempt === attempt ? shown.state : { state: 'waiting' }, retry]
}

/** The last state, with its page and attempt. */
type ShownPage = { page: LazyPage; attempt: number; state: PageState }
