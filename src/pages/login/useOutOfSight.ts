import { useEffect, useState, type RefObject } from 'react'
import { watchSight } from '../../hooks/watchSight.ts'

/** Whether an element is outside the viewport. */
export function useOutOfSight(element: RefObject<HTMLElement | null>): boolean {
  const [isOutOfSight, setOutOfSight] = useState(false)
  useEffect(
    () =>
      element.current ? watchSight(element.current, (isInSight) => setOutOfSight(!isInSight)) : undefined,
    [element],
  )
  return isOutOfSight
}
