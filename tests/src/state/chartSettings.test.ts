// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { User } from '../../../contract/member.ts'

/** The settings as a page that was just opened by a member, or by a guest, has them. */
async function visit(memberId?: string) {
  vi.resetModules()
  const { session } = await import('../../../src/state/session.ts')
  if (memberId !== undefined) {
    session.token = 'token'
    session.userInfo = { id: memberId } as User
  }
  return import('../../../src/state/chartSettings.ts')
}
beforeEach(() => localStorage.clear())

describe('chart settings', () => {
  it('has no indicator and no line at first', async () => {
    const { readChartSettings } = await visit('1')
    const { indicators, lines } = readChartSettings()
    expect(Object.values(indicators).some(({ on }) => on)).toBe(false)
    expect(indicators.MACD.params).toEqual([12, 26, 9])
    expect(lines).toEqual({})
  })

  it('is kept for each member', async () => {
    const first = await visit('1')
    first.setIndicator('RSI', { on: true, params: [9] })
    first.setLines('EURUSD', [{ units: 114_275, name: 'Support' }])
    first.setLines('GC', [{ units: 5, name: '' }])
    first.setLines('GC', [])
    const kept = (await visit('1')).readChartSettings()
    expect(kept.indicators.RSI).toEqual({ on: true, params: [9] })
    expect(kept.lines).toEqual({ EURUSD: [{ units: 114_275, name: 'Support' }] })
    for (const other of ['2', undefined])
      expect((await visit(other)).readChartSettings().indicators.RSI).toEqual({ on: false, params: [14] })
  })

  it('replaces what is invalid by defaults, part by part', async () => {
    localStorage.setItem(
      'chart/1',
      JSON.stringify({
        indicators: { MA: { on: true, params: [5, 10, 1] }, RSI: 7, KDJ: { on: true, params: [9, 3, 3] } },
        lines: { GC: [{ units: -1, name: '' }] },
      }),
    )
    const { indicators, lines } = (await visit('1')).readChartSettings()
    expect(indicators.MA).toEqual({ on: true, params: [5, 10, 20] })
    expect(indicators.RSI).toEqual({ on: false, params: [14] })
    expect(indicators.KDJ.on).toBe(true)
    expect(lines).toEqual({})
  })
})
