import { useState } from 'react'

/** Whether something holds or has held since the component was mounted: what was shown for it stays, so that nothing moves. */
export function useHasBeen(has: boolean): boolean {
  const [hasBeen, setHasBeen] = useState(has)
  if (has && !hasBeen) setHasBeen(true)
  return has || hasBeen
}
