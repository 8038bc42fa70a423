import { useEffect, useState } from 'react'
import { pageDelayMs, pageTimeoutMs } from '../../contract/constants.ts'
import type { LazyPage, Page } from './lazyPage.ts'
import type { ResourceFailure } from './resource.ts'
import { useArrived } from './useArrived.ts'

/** `waiting`: too early to say anything, because most pages are there before an eye would see it. */
export type PageState =
  | { state: 'waiting' }
  | { state: 'loading' }
  | { state: 'ready'; Page: Page }
  | { state: 'failed'; failure: ResourceFailure }

/**
 * A page on its way: nothing for 200 ms, then loading, and after 60 s a time-out to try again. The file itself may
 * take longer (120 s); where it still comes, the page is shown.
 */
export function usePage(page: LazyPage): [PageState, retry: () => void] {
  const [turn, setTurn] = useState(0)
  const [shown, setShown] = useState<Shown>({ page, turn, is: { state: 'waiting' } })
  const arrived = useArrived(page)
  useEffect(() => {
    if (page.value) return undefined
    let left = false
    const show = (is: PageState): void => {
      if (!left) setShown({ page, turn, is })
    }
    const delay = setTimeout(() => show({ state: 'loading' }), pageDelayMs)
    const limit = setTimeout(() => show({ state: 'failed', failure: 'timeout' }), pageTimeoutMs)
    const stop = (): void => {
      clearTimeout(delay)
      clearTimeout(limit)
    }
    const fetchPage = async (): Promise<void> => {
      const result = await page.get()
      stop()
      show(result.ok ? { state: 'ready', Page: result.value } : { state: 'failed', failure: result.failure })
    }
    void fetchPage()
    return () => {
      left = true
      stop()
    }
  }, [page, turn])
  const retry = (): void => setTurn((n) => n + 1)
  if (arrived) return [{ state: 'ready', Page: arrived }, retry]
  return [shown.page === page && shown.turn === turn ? shown.is : { state: 'waiting' }, retry]
}

/** What was shown last, and of which attempt. */
type Shown = { page: LazyPage; turn: number; is: PageState }
