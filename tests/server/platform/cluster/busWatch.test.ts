import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { watchBus } from '../../../../server/platform/cluster/busWatch.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Watches a bus whose state the test sets. */
function watched() {
  const state = { isConnected: true, isReady: async (): Promise<boolean> => true }
  const onCutOff = vi.fn()
  const isStandbyReady = vi.fn(() => state.isReady())
  const end = watchBus({ bus: { isConnected: () => state.isConnected }, isStandbyReady, onCutOff })
  return { state, onCutOff, isStandbyReady, end }
}

describe('a leader that loses the bus', () => {
  it('is cut off a second later if a standby has the bus, and hears of it once', async () => {
    const { state, onCutOff } = watched()
    state.isConnected = false
    await vi.advanceTimersByTimeAsync(750)
    expect(onCutOff).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(onCutOff).toHaveBeenCalledTimes(1)
  })

  it('leads on while no standby has the bus, or the question fails', async () => {
    const { state, onCutOff } = watched()
    state.isConnected = false
    state.isReady = async () => false
    await vi.advanceTimersByTimeAsync(60_000)
    state.isReady = () => Promise.reject(new Error('no connection'))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(onCutOff).not.toHaveBeenCalled()
  })

  it('leads on if the bus is back in time, as after a restart of the bus', async () => {
    const { state, onCutOff } = watched()
    for (let i = 0; i < 10; i++) {
      state.isConnected = false
      await vi.advanceTimersByTimeAsync(750)
      state.isConnected = true
      await vi.advanceTimersByTimeAsync(250)
    }
    expect(onCutOff).not.toHaveBeenCalled()
  })

  it('asks nothing while the bus is there, one question at a time without it, and none after its end', async () => {
    const { state, isStandbyReady, end } = watched()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(isStandbyReady).not.toHaveBeenCalled()
    state.isConnected = false
    state.isReady = () => new Promise(() => undefined)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(isStandbyReady).toHaveBeenCalledTimes(1)
    end()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(isStandbyReady).toHaveBeenCalledTimes(1)
  })
})
