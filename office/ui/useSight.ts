import { useState } from 'react'

/** Of one picture: `drawn`, perhaps below the edge; `shown` once it was in view; `failed` if it cannot be read. */
export type Seen = 'drawn' | 'shown' | 'failed'
/** Of all: `waiting` until each was drawn or could not be read; then the worst of them. */
export type Sight = 'waiting' | Seen

const worst = ['waiting', 'failed', 'drawn'] as const

/**
 * Whether a request's pictures have been in view, so that nobody accepts before viewing them. Without pictures: `shown`.
 */
export function useSight(uploadIds: readonly (string | null)[]): {
  sight: Sight
  /** Given to each picture. */
  see: (uploadId: string, seen: Seen) => void
} {
  const [seen, setSeen] = useState<Readonly<Record<string, Seen>>>({})
  const states = new Set(uploadIds.filter((id) => id !== null).map((id): Sight => seen[id] ?? 'waiting'))
  return {
    sight: worst.find((state) => states.has(state)) ?? 'shown',
    see: (uploadId, state) => setSeen((before) => ({ ...before, [uploadId]: state })),
  }
}
