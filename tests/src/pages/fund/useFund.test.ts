import { Subject } from 'rxjs'
import { afterEach, expect, it } from 'vitest'
import type { Fund } from '../../../../contract/fund.ts'
import { withItsCalendar } from '../../../../src/pages/fund/useFund.ts'
import { session } from '../../../../src/state/session.ts'

const fund = { version: 2 } as Fund
afterEach(() => {
  session.appInfo = null
})

/** What arrives of a fund event, and when the calendar of its dates was fetched. */
async function receive(mode: 'practice' | 'live'): Promise<string[]> {
  session.appInfo = { mode } as typeof session.appInfo
  const log: string[] = []
  const fund$ = new Subject<Fund>()
  const done = new Promise<void>((complete) => {
    withItsCalendar(fund$, async () => void log.push('calendar')).subscribe({
      next: ({ version }) => log.push(`fund ${version}`),
      complete,
    })
  })
  fund$.next(fund)
  fund$.complete()
  await done
  return log
}

it('shows no fund with dates of a calendar that it does not have yet', async () => {
  expect(await receive('practice')).toEqual(['calendar', 'fund 2'])
})

it('does not ask for the calendar in live mode, where it cannot be moved', async () => {
  expect(await receive('live')).toEqual(['fund 2'])
})
