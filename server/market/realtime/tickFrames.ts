import { ticksPerFrameMax } from '../../../contract/constants.ts'
import { tickEvents, type TickEncoding } from '../../../contract/tickFrame.ts'
import type { TickBlock } from '../ports.ts'

export type Block = Pick<TickBlock, 'ix' | 'seq0' | 'values'>

/**
 * The frames of some blocks in an encoding; none without blocks. Ticks that do not fit into a frame follow in the next one, in
 * order of `seq`.
 * @param at the watermark of the flush: no tick is later
 */
export function encodeTickFrames(
  encoding: TickEncoding,
  at: number,
  from: Iterable<Block>,
  ticksMax = ticksPerFrameMax,
): number[][] {
  const { encode } = tickEvents[encoding]
  const frames: number[][] = []
  let blocks: Block[] = []
  let capacity = ticksMax
  const finishFrame = (): void => {
    if (blocks.length > 0) frames.push(encode({ at, blocks }))
    blocks = []
    capacity = ticksMax
  }
  for (const block of from) {
    let remaining = block
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

/** The newest tick of a block. */
export function newestTick(block: Block): Block {
  const count = block.values.length / 3
  return count <= 1 ? block : sliceBlock(block, count - 1)
}

/** The ticks of a block from index `from` up to but excluding `to`, with `seq0` adjusted. */
function sliceBlock(block: Block, from: number, to?: number): Block {
  const values = block.values.slice(from * 3, to === undefined ? undefined : to * 3)
  return { ix: block.ix, seq0: block.seq0 + from, values }
}
