import * as z from 'zod/mini'

const storageKey = 'verifyDraft'
/** The venue removes what is unused for 24 h; a little less, so that nobody sends what is just gone. */
const uploadValidMs = 23 * 3_600_000

const upload = z.object({ uploadId: z.string(), at: z.number() })
const draft = z.object({
  memberId: z.string(),
  name: z.string(),
  idNumber: z.string(),
  nationality: z.string(),
  front: z.optional(upload),
  back: z.optional(upload),
})
export type VerifyDraft = z.infer<typeof draft>
export type StoredUpload = z.infer<typeof upload>

/**
 * What a member has filled in so far. It names a person, so it lies in the tab's own storage: it survives a reload
 * and a walk through other pages, ends with the tab, and is nobody else's.
 */
export function loadVerifyDraft(
  memberId: string,
  now: number,
  storage: Storage = sessionStorage,
): VerifyDraft | undefined {
  try {
    const parsed = z.safeParse(draft, JSON.parse(storage.getItem(storageKey) ?? 'null'))
    if (!parsed.success || parsed.data.memberId !== memberId) {
      storage.removeItem(storageKey)
      return undefined
    }
    const { front, back, ...rest } = parsed.data
    const isValid = (stored: StoredUpload | undefined) =>
      stored !== undefined && now - stored.at < uploadValidMs
    return { ...rest, ...(isValid(front) && { front }), ...(isValid(back) && { back }) }
  } catch {
    return undefined
  }
}

export function saveVerifyDraft(values: VerifyDraft, storage: Storage = sessionStorage): void {
  try {
    storage.setItem(storageKey, JSON.stringify(values))
  } catch {
    // Blocked or full: this visit goes on without it.
  }
}

export function clearVerifyDraft(storage: Storage = sessionStorage): void {
  try {
    storage.removeItem(storageKey)
  } catch {
    // Blocked: there was nothing to remove.
  }
}
