import { useEffect, type RefObject } from 'react'
import { isFinal } from '../../../contract/orders.ts'
import { createEmitter } from '../../lib/emitter.ts'
import type { Order, OrderDraft } from '../../../streams/index.ts'
import { watchSight } from '../../hooks/watchSight.ts'

/** The order results that the visible page shows itself, so that no toast repeats them. */
const drafts = new Set<string>()
/** How often the page shows the result of an order, by its id. */
const results = new Map<string, number>()
const moreResults = createEmitter()

const keyOf = ({ productId, direction, amount, seconds, rateBp }: OrderDraft): string =>
  JSON.stringify([productId, direction, amount, seconds, rateBp])

/** A sheet shows whether this order is placed, until the returned function is called. */
export function showOutcome(draft: OrderDraft): () => void {
  const key = keyOf(draft)
  drafts.add(key)
  return () => void drafts.delete(key)
}

export const isOutcomeShown = (draft: OrderDraft): boolean => drafts.has(keyOf(draft))

/** The page shows how these orders ended, until the returned function is called. */
export function showResults(ids: readonly string[]): () => void {
  for (const id of ids) results.set(id, (results.get(id) ?? 0) + 1)
  moreResults.emit()
  return () => {
    for (const id of ids) {
      const left = (results.get(id) ?? 0) - 1
      if (left > 0) results.set(id, left)
      else results.delete(id)
    }
  }
}

type ShownResultsOptions = {
  swiped?: RefObject<Element | null> | undefined
  /** Called back for each of the orders whether its result is on the screen. */
  onSight?: ((id: string, isInSight: boolean) => void) | undefined
}

/**
 * The element shows how those of the orders ended that have, while it is on the screen; in a row that one swipes through,
 * while the whole of it is.
 */
export function useShownResults(
  orders: readonly Pick<Order, 'id' | 'status'>[],
  element: RefObject<Element | null>,
  { swiped, onSight }: ShownResultsOptions = {},
): void {
  const ids = orders.flatMap(({ id, status }) => (isFinal(status) ? [id] : [])).join(' ')
  useEffect(() => {
    if (ids === '' || element.current === null) return undefined
    let hide: (() => void) | undefined
    const set = (isShown: boolean) => {
      if (isShown) {
        hide ??= showResults(ids.split(' '))
      } else {
        hide?.()
        hide = undefined
      }
    }
    const stop = watchSight(
      element.current,
      (isInSight) => {
        set(isInSight)
        for (const id of ids.split(' ')) onSight?.(id, isInSight)
      },
      { swiped: swiped?.current },
    )
    return () => {
      stop()
      set(false)
    }
  }, [ids, element, swiped, onSight])
}

export const isResultShown = (id: string): boolean => results.has(id)
/** Calls back once the page shows more results. */
export const onMoreResults = moreResults.subscribe
