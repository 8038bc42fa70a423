import { useRef } from 'react'
import { priceUnits } from '../../../contract/brand.ts'
import type { Order } from '../../../streams/index.ts'
import { noFigure } from '../../format.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useLivePnl, write } from './useLive.ts'

/** The price that an open order would end at now, written from the shared flush. */
export function PriceNow({ order }: { order: Order }) {
  const format = useFormat()
  const now = useRef<HTMLSpanElement>(null)
  const { priceDecimals } = order.terms
  useLivePnl(order, ({ price }) =>
    write(now, price === undefined ? noFigure : format.price(priceUnits(price), priceDecimals)),
  )
  return <span ref={now}>{noFigure}</span>
}
