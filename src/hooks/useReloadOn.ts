import { useEffect, useRef } from 'react'

/** Asks again when something known changes, such as a resource's version; its becoming known is no change. */
export function useReloadOn(known: string | number | undefined, reload: () => void): void {
  const seen = useRef(known)
  useEffect(() => {
    const before = seen.current
    seen.current = known
    if (before !== undefined && known !== undefined && known !== before) reload()
  }, [known, reload])
}
