import type { MemberBus } from '../ports.ts'
import type { Placer } from './placer.ts'

/** A node's view of the others. */
export type Cluster = {
  isLeading(): boolean
  /** Requests orders from the leader. */
  remotePlacer: Placer
  /** Places the orders of the other nodes while this one leads. */
  answerPlacements(placer: Placer): void
  /** Publishes to a member's sockets on every node. */
  relay(local: MemberBus): MemberBus
}
