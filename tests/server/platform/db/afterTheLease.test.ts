import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { afterTheLease } from '../../../../server/platform/db/afterTheLease.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('reports a failed session only if the venue still runs two seconds later', () => {
  const reported: unknown[] = []
  const report = afterTheLease((error) => reported.push(error))
  const error = new Error('terminating connection due to administrator command')
  report(error)
  vi.advanceTimersByTime(1999)
  expect(reported).toEqual([])
  vi.advanceTimersByTime(1)
  expect(reported).toEqual([error])
})
