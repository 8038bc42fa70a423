import { startTransition, useEffect, useState } from 'react'

/** As many as a page of the venue has, and more than a screen shows. */
const firstRows = 50
/** Few enough that a key pressed meanwhile is answered at once. */
const moreRows = 100

/**
 * The rows that are drawn: the first ones at once, the others little by little after them. A queue that is opened again has
 * all the pages that were loaded before, and nobody waits for the thousandth row to see the first.
 */
export function useDrawnRows<T>(rows: readonly T[]): readonly T[] {
  const [drawn, setDrawn] = useState(firstRows)
  // What follows a shorter list begins anew.
  if (drawn >= rows.length + moreRows) setDrawn(Math.max(firstRows, rows.length))
  const isPart = drawn < rows.length
  useEffect(() => {
    if (isPart) startTransition(() => setDrawn((before) => before + moreRows))
  }, [isPart, drawn])
  return isPart ? rows.slice(0, drawn) : rows
}
