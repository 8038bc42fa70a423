// @vitest-environment happy-dom
import { act } from 'react'
import { Subject } from 'rxjs'
import { expect, it } from 'vitest'
import { useNow } from '../../../src/hooks/useNow.ts'
import { openPage } from '../../support/openPage.tsx'
import { one } from '../ui/mount.tsx'

const Probe = () => <p>{useNow()}</p>

it.each([
  ['a clock that runs', 90_500],
  ['a clock that is not known yet', 0],
])('has the time of %s from the first render on, and each second after', async (_, now) => {
  const second$ = new Subject<number>()
  const streams = { clock: { now: () => now, second$ } }
  await openPage(<Probe />, { streams })
  expect(one('p').textContent).toBe(String(now))
  await act(async () => second$.next(91_000))
  expect(one('p').textContent).toBe('91000')
})
