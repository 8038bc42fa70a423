// @vitest-environment happy-dom
import { act } from 'react'
import { Subject } from 'rxjs'
import { beforeEach, expect, it } from 'vitest'
import { dayMs } from '../../../contract/time.ts'
import { useBusinessToday, useToday } from '../../../src/hooks/useDays.ts'
import { session } from '../../../src/state/session.ts'
import { openPage } from '../../support/openPage.tsx'
import { one } from '../ui/mount.tsx'

const evening = Date.UTC(2026, 10, 22, 15, 59, 59)
const seen: string[] = []

function Probe() {
  const days = `${useToday() ?? '?'} ${useBusinessToday() ?? '?'}`
  seen.push(days)
  return <p>{days}</p>
}
async function show(now: number): Promise<Subject<number>> {
  const second$ = new Subject<number>()
  const streams = { clock: { now: () => now, second$ } }
  await openPage(<Probe />, { streams })
  return second$
}

beforeEach(() => {
  seen.length = 0
  session.appInfo = { zone: 'Asia/Shanghai', businessOffsetMs: 6 * dayMs } as typeof session.appInfo
})

it('has both days at the first render if the clock runs, and changes with it', async () => {
  const second$ = await show(evening)
  expect(seen[0]).toBe('2026-11-22 2026-11-28')
  await act(async () => second$.next(evening + 1000))
  expect(one('p').textContent).toBe('2026-11-23 2026-11-29')
})

it('has no day before the clock is known', async () => {
  const second$ = await show(0)
  expect(seen[0]).toBe('? ?')
  await act(async () => second$.next(evening))
  expect(one('p').textContent).toBe('2026-11-22 2026-11-28')
})
