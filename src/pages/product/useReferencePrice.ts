import { useEffect, useState } from 'react'
import { priceUnits, type PriceUnits } from '../../../contract/units.ts'
import { productRoutes } from '../../../contract/products.ts'
import { parseRounded } from '../../../contract/price.ts'
import { dayMs, minuteMs } from '../../../contract/time.ts'
import { afterPaint } from '../../start/afterPaint.ts'
import type { Client } from '../../api/client.ts'
import { useCall } from '../../hooks/useCall.ts'

/**
 * The reference price of the 24-hour change, by the venue's rule: the last price before the window's start, or the
 * first price of all if there is none before. In integer units; fetched once a minute, as the window moves; undefined
 * until loaded.
 */
export function useReferencePrice(id: string, priceDecimals: number, now: number): PriceUnits | undefined {
  const call = useCall()
  const startAt = now === 0 ? undefined : Math.floor(now / minuteMs) * minuteMs - dayMs
  const [reference, setReference] = useState<{ productId: string; price: PriceUnits }>()
  useEffect(() => {
    if (startAt === undefined) return undefined
    const controller = new AbortController()
    const load = async () => {
      await afterPaint()
      const fetched = await fetchReferencePrice(call, id, startAt, controller.signal)
      const price =
        fetched === undefined ? undefined : parseRounded(fetched.toFixed(priceDecimals), priceDecimals)
      if (price !== undefined && !controller.signal.aborted)
        setReference({ productId: id, price: priceUnits(price) })
    }
    void load()
    return () => controller.abort()
  }, [call, id, priceDecimals, startAt])
  return reference?.productId === id ? reference.price : undefined
}

async function fetchReferencePrice(
  call: Client,
  id: string,
  startAt: number,
  signal: AbortSignal,
): Promise<number | undefined> {
  const fetchNewest = async (query: { tf: '1m' | '1d'; to?: string; limit: string }) => {
    const result = await call(productRoutes.candles, { params: { id }, query }, { signal })
    return result.ok ? result.value.candles : undefined
  }
  const before = await fetchNewest({ tf: '1m', to: String(startAt), limit: '1' })
  if (before === undefined) return undefined
  const [last] = before
  if (last !== undefined) return last[4]
  // All prices are within the window, which covers at most two days.
  const days = await fetchNewest({ tf: '1d', limit: '2' })
  return days?.[0]?.[1]
}
