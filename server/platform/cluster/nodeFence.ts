import type { Fence } from '../db/fence.ts'

/** The fence of a node, which has a term only while it leads. */
export type NodeFence = Fence & {
  /** From now on this node leads, with this fence. */
  lead(fence: Fence): void
}

/** A node that does not lead was about to write what only the leader may write: a bug. */
export class NotLeadingError extends Error {
  override readonly name = 'NotLeadingError'
  constructor() {
    super('this node does not lead')
  }
}

export function createNodeFence(): NodeFence {
  let held: Fence | null = null
  const requireHeld = (): Fence => {
    if (held === null) throw new NotLeadingError()
    return held
  }
  return {
    get term() {
      return requireHeld().term
    },
    guard: async (work) => requireHeld().guard(work),
    transaction: async (db, work) => requireHeld().transaction(db, work),
    declareLost: (reason) => requireHeld().declareLost(reason),
    lead: (fence) => {
      held = fence
    },
  }
}
