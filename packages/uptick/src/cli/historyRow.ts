/** One row of an exchange's own file: a trade, or in a file of aggregates several at one price. */
export type HistoryRow = {
  first: number
  last: number
  price: string
  /** Null for an aggregate, whose size is that of all its trades. */
  size: string | null
  at: number
}

/** A trade of an exchange's own page; some have no id. */
export type HistoryTrade = Omit<HistoryRow, 'first' | 'last'> & { first?: number | undefined }
