import { useEffect, useState } from 'react'

/** True once `value` has been true for `ms` without interruption; false at once. */
export function useDebouncedTrue(value: boolean, ms: number): boolean {
  const [hasLasted, setLasted] = useState(false)
  useEffect(() => {
    if (!value) return undefined
    const timer = setTimeout(() => setLasted(true), ms)
    return () => {
      clearTimeout(timer)
      setLasted(false)
    }
  }, [value, ms])
  return value && hasLasted
}
