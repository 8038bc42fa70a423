import { useCallback, useLayoutEffect, useRef } from 'react'

/** @returns reads the value of the newest rendering, for what outlives one: a subscription, a listener or an answer */
export function useLatest<T>(value: T): () => T {
  const latest = useRef(value)
  useLayoutEffect(() => {
    latest.current = value
  })
  return useCallback(() => latest.current, [])
}
