import { startTransition, useEffect, useState } from 'react'

/** More than a screen shows, and few enough that a key pressed meanwhile is answered at once. */
const step = 50

/**
 * The rows that are drawn: the first ones at once, the others little by little after them. A queue that is opened again has
 * all the pages that were loaded before, and nobody waits for the thousandth row to see the first.
 */
export function useDrawnRows<T>(rows: readonly T[]): readonly T[] {
  const [drawn, setDrawn] = useState(step)
  // After a shorter list it starts from the beginning.
  if (drawn >= rows.length + step && drawn > step) setDrawn(Math.max(step, rows.length))
  const { length } = rows
  useEffect(() => {
    if (drawn < length) startTransition(() => setDrawn(drawn + step))
  }, [drawn, length])
  return drawn < length ? rows.slice(0, drawn) : rows
}
