import { useState } from 'react'

export type Seen = 'shown' | 'failed'
/** `waiting` until each picture was drawn or could not be read; `failed` if one could not be read. */
export type Sight = 'waiting' | Seen

/**
 * Whether a request's pictures have been shown, so that no decision is possible before viewing them. Without pictures:
 * `shown`.
 */
export function useSight(uploadIds: readonly (string | null)[]): {
  sight: Sight
  /** Given to each picture. */
  see: (uploadId: string, seen: Seen) => void
} {
  const [seen, setSeen] = useState<Readonly<Record<string, Seen>>>({})
  const states = uploadIds.filter((id) => id !== null).map((id): Sight => seen[id] ?? 'waiting')
  return {
    sight:
      states.find((state) => state === 'waiting') ?? states.find((state) => state === 'failed') ?? 'shown',
    see: (uploadId, state) => setSeen((before) => ({ ...before, [uploadId]: state })),
  }
}
