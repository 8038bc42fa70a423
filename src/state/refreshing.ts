const askers = new Set<() => void>()

/** Whoever shows what the venue answered to a call says here how to ask again; the way out is returned. */
export function onRefresh(again: () => void): () => void {
  askers.add(again)
  return () => void askers.delete(again)
}

/** Asks the venue anew for all that is shown. What the streams hold, their own `wake` renews. */
export function refreshShown(): void {
  for (const again of askers) again()
}
