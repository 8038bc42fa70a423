import { ticksPerFrameMax } from '../../contract/constants.ts'
import { encodeTicks } from '../../contract/socket.ts'
import type { SubscribeMode } from '../../contract/socket.ts'
import type { Flush, MarketBlock } from '../ports.ts'

type Block = Pick<MarketBlock, 'ix' | 'seq0' | 'values'>

/**
 * The `ticks` frames of one flush for those who watch the same products in the same modes: every tick in mode `all`,
 * each product's newest in mode `latest`, none where nothing watched has ticked. What does not fit into a frame follows
 * in the next one, in order of `seq`.
 * @param watch mode by the product's venue-wide number
 */
export function tickFrames(
  flush: Flush,
  watch: ReadonlyMap<number, SubscribeMode>,
  ticksMax = ticksPerFrameMax,
): number[][] {
  const frames: number[][] = []
  let blocks: Block[] = []
  let room = ticksMax
  const close = (): void => {
    if (blocks.length > 0) frames.push(encodeTicks({ at: flush.at, blocks }))
    blocks = []
    room = ticksMax
  }
  for (const block of flush.blocks) {
    const mode = watch.get(block.ix)
    if (mode === undefined) continue
    let rest: Block = mode === 'all' ? block : newest(block)
    while (rest.values.length > room * 3) {
      blocks.push(part(rest, 0, room))
      rest = part(rest, room)
      close()
    }
    if (rest.values.length === 0) continue
    blocks.push(rest)
    room -= rest.values.length / 3
    if (room === 0) close()
  }
  close()
  return frames
}

function newest(block: Block): Block {
  const count = block.values.length / 3
  return count <= 1 ? block : part(block, count - 1)
}

/** The ticks `from` to before `to` of a block; `seq0` moves along. */
function part(block: Block, from: number, to?: number): Block {
  const values = block.values.slice(from * 3, to === undefined ? undefined : to * 3)
  return { ix: block.ix, seq0: block.seq0 + from, values }
}
