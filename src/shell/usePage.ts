import { useEffect, useState } from 'react'
import { pageDelayMs, pageTimeoutMs } from '../../contract/constants.ts'
import type { LazyPage, Page } from './lazyPage.ts'
import type { ResourceFailure } from './resource.ts'

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
  const [shown, setShown] = useState<{ of: LazyPage; is: PageState }>({ of: page, is: { state: 'waiting' } })
  const [turn, setTurn] = useState(0)
  const is: PageState = page.value
    ? { state: 'ready', Page: page.value }
    : shown.of === page
      ? shown.is
      : { state: 'waiting' }
  useEffect(() => {
    if (page.value) return undefined
    let left = false
    const show = (next: PageState): void => {
      if (!left) setShown({ of: page, is: next })
    }
    show({ state: 'waiting' })
    const delay = setTimeout(() => show({ state: 'loading' }), pageDelayMs)
    const limit = setTimeout(() => show({ state: 'failed', failure: 'timeout' }), pageTimeoutMs)
    const stop = (): void => {
      clearTimeout(delay)
      clearTimeout(limit)
    }
    void page.get().then((result) => {
      stop()
      show(result.ok ? { state: 'ready', Page: result.value } : { state: 'failed', failure: result.failure })
    })
    return () => {
      left = true
      stop()
    }
  }, [page, turn])
  return [is, () => setTurn((n) => n + 1)]
}
