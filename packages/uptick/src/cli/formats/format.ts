/** A tick as a file of others has it: a trade has a price and a size, a quote bid and ask, what is missing is empty. */
export type ForeignRow = {
  /** The number of its line, or of its trade in a file of JSON answers. */
  line: number
  text: string
  /** Epoch ms. */
  at: number
  price: string
  size: string
  bid: string
  ask: string
  symbol?: string | undefined
  /** The source's number of the tick, ascending. */
  order?: number | undefined
}

/** A row that is no tick, and why. */
export type UnreadRow = Pick<ForeignRow, 'line' | 'text'> & { why: string }
export type ReadRow = ForeignRow | UnreadRow

/** What is read: the file's name for errors, and its text in pieces. */
export type FormatInput = {
  path: string
  pieces: AsyncIterable<string>
  /** The exchange whose messages are read. */
  protocol: string
}

/** One layout of recorded prices that `convert` and `info` read. */
export type Format = {
  name: string
  /** A line of it, for people who have another one. */
  example: string
  /** How much the beginning of a text is like it, from 0 to 1: 1 is this format. */
  likeness: (start: string) => number
  /** The names of its files, if they are no text. */
  file?: RegExp
  /**
   * As many rows at once as have arrived; each is good until the next one is taken.
   * @throws UsageError if the file cannot be used: an instant in another unit, text that is not JSON
   */
  read: (input: FormatInput) => AsyncIterable<Iterable<ReadRow>>
}

/** The first line of a text. */
export const firstLineOf = (start: string): string => (start.trimStart().split('\n', 1)[0] ?? '').trimEnd()
