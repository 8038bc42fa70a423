import type { Cluster } from '../../server/ports.ts'

/** The other nodes, as seen from one that leads or follows; they answer nothing. */
export const clusterOf = (state: {
  isLeading: boolean
  isConnected?: boolean
  missedFlushes?: number
}): Cluster => ({
  isLeading: () => state.isLeading,
  bus: () => ({ isConnected: state.isConnected ?? true, missedFlushes: state.missedFlushes ?? 0 }),
  remotePlacer: {
    place: () => Promise.reject(new Error('no leader')),
    awaitPlacement: async () => undefined,
  },
  answerPlacements: () => undefined,
  relay: (local) => local,
})

/** As seen from one that does not lead, and has no leader to ask. */
export const followerOf = clusterOf({ isLeading: false })
