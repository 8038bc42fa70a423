import type { Cluster } from '../../server/ports.ts'

/** The other nodes as one sees them that does not lead, and has no leader to ask. */
export const followerOf: Cluster = {
  isLeading: () => false,
  bus: () => ({ isConnected: true, missedFlushes: 0 }),
  remotePlacer: {
    place: () => Promise.reject(new Error('no leader')),
    awaitPlacement: async () => undefined,
  },
  answerPlacements: () => undefined,
  relay: (local) => local,
}
