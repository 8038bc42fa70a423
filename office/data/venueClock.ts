import { useEffect, useState } from 'react'

let offsetMs = 0

/** Notes the venue's time, as an answer gives it: ages must not depend on this machine's clock. */
export function noteVenueTime(at: number): void {
  offsetMs = at - Date.now()
}

export const venueNow = (): number => Date.now() + offsetMs

/** The venue's time, renewed every ten seconds: ages of waiting requests need no more. */
export function useVenueNow(): number {
  const [now, setNow] = useState(venueNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(venueNow()), 10_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
