import { latestIntervalMs } from '../../../contract/constants.ts'
import { newestTick, type Block } from './tickFrames.ts'

/** The newest tick of each product in mode `latest` that was not sent yet. They are due four times a second. */
export class LatestTicks {
  readonly #unsent = new Map<number, Block>()
  #sentAt = Number.NEGATIVE_INFINITY

  add(block: Block): void {
    if (block.values.length > 0) this.#unsent.set(block.ix, block)
  }

  /** The unsent ticks without marking them as sent: for one client that leaves its group. */
  peek(): Block[] {
    return [...this.#unsent.values()].map(newestTick)
  }

  /** The unsent ticks if they are due, marked as sent. */
  takeDue(at: number): Block[] {
    return at - this.#sentAt >= latestIntervalMs ? this.takeAll(at) : []
  }

  /** The unsent ticks, marked as sent. */
  takeAll(at: number): Block[] {
    if (this.#unsent.size === 0) return []
    const blocks = this.peek()
    this.#unsent.clear()
    this.#sentAt = at
    return blocks
  }
}
