import type { DropReason } from '../../server/platform/cluster/bus.ts'
import type { Cluster } from '../../server/platform/ports.ts'

/** The other nodes, as seen from one that leads or follows; they answer nothing. */
export const clusterOf = (state: {
  isLeading: boolean
  isConnected?: boolean
  missedFlushes?: number
  dropped?: Partial<Record<DropReason, number>>
}): Cluster => ({
  isLeading: () => state.isLeading,
  bus: () => ({
    isConnected: state.isConnected ?? true,
    missedFlushes: state.missedFlushes ?? 0,
    refusedSteps: 0,
    dropped: { unopened: 0, repeated: 0, late: 0, ...state.dropped },
  }),
  remotePlacer: {
    place: () => Promise.reject(new Error('no leader')),
    awaitPlacement: async () => undefined,
  },
  answerPlacements: () => undefined,
  relay: (local) => local,
})

/** As seen from one that does not lead, and has no leader to ask. */
export const followerOf = clusterOf({ isLeading: false })
