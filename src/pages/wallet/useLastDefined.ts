import { useState } from 'react'

/** What a sheet shows while it slides away: the last thing it was open for. */
export function useLastDefined<T>(value: T | undefined): T | undefined {
  const [shown, setShown] = useState(value)
  if (value !== undefined && value !== shown) setShown(value)
  return value ?? shown
}
