import { useEffect, useState } from 'react'
import { productRoutes } from '../../../contract/products.ts'
import { parseRounded } from '../../../contract/price.ts'
import { call } from '../../api/venue.ts'

const minuteMs = 60_000
const dayMs = 86_400_000

/**
 * The price that the 24-hour change is counted from: the last one at or before the window's start, in integer
 * units. Asked for once a minute, as the window moves; undefined while it is not known.
 */
export function useDayBase(id: string, priceDecimals: number, now: number): number | undefined {
  const startAt = now === 0 ? undefined : Math.floor(now / minuteMs) * minuteMs - dayMs
  const [base, setBase] = useState<{ of: string; price: number }>()
  useEffect(() => {
    if (startAt === undefined) return undefined
    const leaving = new AbortController()
    const query = { tf: '1m', to: String(startAt), limit: '1' } as const
    const ask = async () => {
      const result = await call(productRoutes.candles, { params: { id }, query }, { signal: leaving.signal })
      const close = result.ok ? result.value.candles[0]?.[4] : undefined
      const price =
        close === undefined ? undefined : parseRounded(close.toFixed(priceDecimals), priceDecimals)
      if (price !== undefined && !leaving.signal.aborted) setBase({ of: id, price })
    }
    void ask()
    return () => leaving.abort()
  }, [id, priceDecimals, startAt])
  return base?.of === id ? base.price : undefined
}
