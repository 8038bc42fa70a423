/** The products of one connection by the venue's index. */
export class ProductIndex<T> {
  /** Read for each block of a frame, so a plain array. */
  readonly entries: (T | undefined)[] = []
  /** Stays after a product is released: frames that have arrived still name it. */
  readonly ids: string[] = []

  set(ix: number, id: string, entry: T): void {
    this.entries[ix] = entry
    this.ids[ix] = id
  }

  release(entry: T): void {
    const ix = this.entries.indexOf(entry)
    if (ix >= 0) this.entries[ix] = undefined
  }
}
