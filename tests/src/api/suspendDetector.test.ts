import { expect, it } from 'vitest'
import { detectSuspend } from '../../../src/api/suspendDetector.ts'

it('reports a suspend if a check is late, unless the tab is hidden', () => {
  const checks: (() => void)[] = []
  const device = { at: 0, hidden: false }
  let resumeCount = 0
  detectSuspend(() => (resumeCount += 1), {
    now: () => device.at,
    every: (_, run) => void checks.push(run),
    isHidden: () => device.hidden,
  })
  const counts = [1000, 1000, 3_600_000, 1000, -86_400_000, 1000, 4000].map((ms) => {
    device.at += ms
    checks[0]?.()
    return resumeCount
  })
  expect(counts).toEqual([0, 0, 1, 1, 1, 1, 1])
  device.hidden = true
  device.at += 60_000
  checks[0]?.()
  expect(resumeCount).toBe(1)
})
