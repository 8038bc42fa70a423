import * as z from 'zod/mini'

const storageKey = 'verifyDraft'
/** The venue removes what is unused for 24 h; a little less, so that nobody sends what is just gone. */
const uploadKeptMs = 23 * 3_600_000

const upload = z.object({ uploadId: z.string(), at: z.number() })
const draft = z.object({
  memberId: z.string(),
  name: z.string(),
  idNumber: z.string(),
  nationality: z.string(),
  front: z.optional(upload),
  back: z.optional(upload),
})
export type Draft = z.infer<typeof draft>
export type KeptUpload = z.infer<typeof upload>

/**
 * What a member has filled in so far. It names a person, so it lies in the tab's own storage: it survives a reload
 * and a walk through other pages, ends with the tab, and is nobody else's.
 */
export function loadDraft(
  memberId: string,
  now: number,
  storage: Storage = sessionStorage,
): Draft | undefined {
  try {
    const parsed = z.safeParse(draft, JSON.parse(storage.getItem(storageKey) ?? 'null'))
    if (!parsed.success || parsed.data.memberId !== memberId) {
      storage.removeItem(storageKey)
      return undefined
    }
    const { front, back, ...rest } = parsed.data
    const lasting = (kept: KeptUpload | undefined) => kept !== undefined && now - kept.at < uploadKeptMs
    return { ...rest, ...(lasting(front) && { front }), ...(lasting(back) && { back }) }
  } catch {
    return undefined
  }
}

export function saveDraft(kept: Draft, storage: Storage = sessionStorage): void {
  try {
    storage.setItem(storageKey, JSON.stringify(kept))
  } catch {
    // Blocked or full: this visit goes on without it.
  }
}

export function dropDraft(storage: Storage = sessionStorage): void {
  try {
    storage.removeItem(storageKey)
  } catch {
    // Blocked: there was nothing to remove.
  }
}
