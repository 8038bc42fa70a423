import * as z from 'zod/mini'

const storageKey = 'serviceDraft'

const draft = z.object({ memberId: z.string(), body: z.string() })

/**
 * A member's unsent message to customer service. In session storage: it survives a reload and other pages, ends with
 * the tab, and is not shown to another member.
 */
export function loadMessageDraft(memberId: string, storage: Storage = sessionStorage): string {
  try {
    const parsed = z.safeParse(draft, JSON.parse(storage.getItem(storageKey) ?? 'null'))
    if (parsed.success && parsed.data.memberId === memberId) return parsed.data.body
    storage.removeItem(storageKey)
    return ''
  } catch {
    return ''
  }
}

/** Saves the draft; an empty draft is removed. */
export function saveMessageDraft(memberId: string, body: string, storage: Storage = sessionStorage): void {
  try {
    if (body === '') storage.removeItem(storageKey)
    else storage.setItem(storageKey, JSON.stringify({ memberId, body }))
  } catch {
    // Storage is blocked or full: continue without a draft.
  }
}
