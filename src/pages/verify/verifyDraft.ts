import * as z from 'zod/mini'
import { hourMs } from '../../../contract/time.ts'
import type { StoredUpload } from '../../features/photos/usePhoto.ts'

const storageKey = 'verifyDraft'
/** The venue removes uploads that are unused for 24 h; a little less, so that a removed one is never sent. */
const uploadValidMs = 23 * hourMs

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

/**
 * The member's input so far. It is personal data, so it is in session storage: it survives a reload and other pages,
 * ends with the tab, and is not shown to another member.
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
    // Storage is blocked or full: continue without a draft.
  }
}

export function clearVerifyDraft(storage: Storage = sessionStorage): void {
  try {
    storage.removeItem(storageKey)
  } catch {
    // Storage is blocked: there is nothing to remove.
  }
}
