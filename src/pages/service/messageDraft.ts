import * as z from 'zod/mini'

const storageKey = 'serviceDraft'

const draft = z.object({ memberId: z.string(), body: z.string() })

/**
 * What a member has begun to write to customer service. It lies in the tab's own storage: it survives a reload and a
 * walk through other pages, ends with the tab, and is nobody else's.
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

/** Keeps it; nothing written is nothing kept. */
export function saveMessageDraft(memberId: string, body: string, storage: Storage = sessionStorage): void {
  try {
    if (body === '') storage.removeItem(storageKey)
    else storage.setItem(storageKey, JSON.stringify({ memberId, body }))
  } catch {
    // Blocked or full: this visit goes on without it.
  }
}
