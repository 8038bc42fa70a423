import type { IPrimitivePaneView, ISeriesPrimitive, PrimitivePaneViewZOrder, Time } from 'lightweight-charts'
import type { Target } from '../canvas.ts'

/** A painter of one layer over the plot. */
export function layer(order: PrimitivePaneViewZOrder, draw: (target: Target) => void): IPrimitivePaneView {
  const renderer = { draw }
  return { zOrder: () => order, renderer: () => renderer }
}

/** Layers as the library attaches them to a series; the arrays stay the same, because it caches by reference. */
export function primitive<T = Time>(
  paneViews: readonly IPrimitivePaneView[],
  rest: Omit<ISeriesPrimitive<T>, 'paneViews'> = {},
): ISeriesPrimitive<T> {
  return { paneViews: () => paneViews, ...rest }
}

/** What the painters ask of the scales. */
export type Scales = {
  xOf(logical: number): number | undefined
  yOf(price: number): number | undefined
  /** Places of the first and last bar on screen; undefined where there are none. */
  visible(): { from: number; to: number } | undefined
  pitch(): number
}
