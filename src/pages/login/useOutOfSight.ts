import { useEffect, useState } from 'react'
import type { RefObject } from 'react'

/** Whether an element is outside the viewport. */
export function useOutOfSight(element: RefObject<HTMLElement | null>): boolean {
  const [isOutOfSight, setOutOfSight] = useState(false)
  useEffect(() => {
    if (!element.current) return undefined
    const observer = new IntersectionObserver(([entry]) => setOutOfSight(entry?.isIntersecting === false))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return isOutOfSight
}
