import { ticksPerFrameMax } from '../../contract/constants.ts'
import { encodeTicks } from '../../contract/socket.ts'
import type { SubscribeMode } from '../../contract/socket.ts'
import type { Flush, TickBlock } from '../ports.ts'

type Block = Pick<TickBlock, 'ix' | 'seq0' | 'values'>

/**
 * The `ticks` frames of one flush for one subscription group: every tick in mode `all`, each product's newest in mode
 * `latest`, no frame if no subscribed product has ticks. Ticks that do not fit into a frame follow in the next one, in
 * order of `seq`.
 * @param modes mode by the product's venue-wide number
 */
export function encodeTickFrames(
  flush: Flush,
  modes: ReadonlyMap<number, SubscribeMode>,
  ticksMax = ticksPerFrameMax,
): number[][] {
  const frames: number[][] = []
  let blocks: Block[] = []
  let capacity = ticksMax
  const finishFrame = (): void => {
    if (blocks.length > 0) frames.push(encodeTicks({ at: flush.at, blocks }))
    blocks = []
    capacity = ticksMax
  }
  for (const block of flush.blocks) {
    const mode = modes.get(block.ix)
    if (mode === undefined) continue
    let remaining: Block = mode === 'all' ? block : newestTick(block)
    while (remaining.values.length > capacity * 3) {
      blocks.push(sliceBlock(remaining, 0, capacity))
      remaining = sliceBlock(remaining, capacity)
      finishFrame()
    }
    if (remaining.values.length === 0) continue
    blocks.push(remaining)
    capacity -= remaining.values.length / 3
    if (capacity === 0) finishFrame()
  }
  finishFrame()
  return frames
}

function newestTick(block: Block): Block {
  const count = block.values.length / 3
  return count <= 1 ? block : sliceBlock(block, count - 1)
}

/** The ticks of a block from index `from` up to but excluding `to`, with `seq0` adjusted. */
function sliceBlock(block: Block, from: number, to?: number): Block {
  const values = block.values.slice(from * 3, to === undefined ? undefined : to * 3)
  return { ix: block.ix, seq0: block.seq0 + from, values }
}
