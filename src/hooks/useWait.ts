import { useCallback, useEffect, useState } from 'react'
import { secondMs } from '../../contract/time.ts'

/**
 * Counts a wait down on the device's monotonic clock. Returns the time left in ms (0 without a wait), updated each
 * second, and a function that begins a wait. A wait of 0 ends the previous one.
 */
export function useWait(): [leftMs: number, begin: (ms: number) => void] {
  const [until, setUntil] = useState(0)
  const [leftMs, setLeftMs] = useState(0)
  const begin = useCallback((ms: number) => {
    setUntil(ms > 0 ? performance.now() + ms : 0)
    setLeftMs(ms)
  }, [])
  useEffect(() => {
    if (until === 0) return undefined
    let timer: ReturnType<typeof setTimeout>
    const step = (): void => {
      const left = Math.max(0, until - performance.now())
      setLeftMs(left)
      if (left > 0) timer = setTimeout(step, left % secondMs || secondMs)
    }
    step()
    return () => clearTimeout(timer)
  }, [until])
  return [leftMs, begin]
}
