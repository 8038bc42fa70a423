import type { IPrimitivePaneView, ISeriesPrimitive, PrimitivePaneViewZOrder, Time } from 'lightweight-charts'
import type { Target } from '../canvas.ts'

/** A painter of one layer over the plot. */
export function layer(order: PrimitivePaneViewZOrder, draw: (target: Target) => void): IPrimitivePaneView {
  const renderer = { draw }
  return { zOrder: () => order, renderer: () => renderer }
}

/** A primitive that the library can attach to a series; the arrays stay the same, because it caches by reference. */
export function primitive<T = Time>(
  paneViews: readonly IPrimitivePaneView[],
  rest: Omit<ISeriesPrimitive<T>, 'paneViews'> = {},
): ISeriesPrimitive<T> {
  return { paneViews: () => paneViews, ...rest }
}

/** The scales as painters use them. */
export type Scales = {
  xOf(logical: number): number | undefined
  yOf(price: number): number | undefined
  /** Indices of the first and last visible bar; undefined if there are none. */
  visible(): { from: number; to: number } | undefined
  pitch(): number
}
