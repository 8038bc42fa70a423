import { windowFrom } from '../../../contract/settle.ts'
import type { Order } from '../../../streams/index.ts'

/** The window that an order's exit by rule R2 is the mean of; prices are decimal numbers, instants venue milliseconds. */
export type AverageWindow = { from: number; to: number; mean: number | undefined }

/**
 * The window of an order with rule R2 as charts draw it; undefined by rule R1.
 * @param mean the mean so far, or the exit, as decimal text; undefined if there is none yet
 */
export function averageWindowOf(
  { terms, closeAt }: Pick<Order, 'terms' | 'closeAt'>,
  mean: string | undefined,
): AverageWindow | undefined {
  if (terms.rule === 'R1') return undefined
  // Only drawn: a chart needs no exact price.
  return {
    from: windowFrom(terms, { closeAt }),
    to: closeAt,
    mean: mean === undefined ? undefined : Number(mean),
  }
}
