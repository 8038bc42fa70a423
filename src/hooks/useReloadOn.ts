import { useEffect, useRef } from 'react'

/** Reloads when a value changes, such as a resource's version; not when it becomes known. */
export function useReloadOn(value: string | number | undefined, reload: () => void): void {
  const previous = useRef(value)
  useEffect(() => {
    const before = previous.current
    previous.current = value
    if (before !== undefined && value !== undefined && value !== before) reload()
  }, [value, reload])
}
