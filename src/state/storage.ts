/**
 * localStorage that may be blocked, full or hold nonsense: reading answers with nothing, writing is given up.
 * What is stored is for convenience; the app runs without it.
 */
export function readText(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

export function writeText(key: string, text: string): void {
  try {
    localStorage.setItem(key, text)
  } catch {
    // Blocked or full: this visit goes on without it.
  }
}

export function removeKey(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Blocked: there was nothing to remove.
  }
}

/** Removes everything but what stands under these keys. */
export function clearStorage(exceptKeys: readonly string[]): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if (!exceptKeys.includes(key)) localStorage.removeItem(key)
    }
  } catch {
    // Blocked: there is nothing to clear.
  }
}

/** Forgets what this tab alone keeps: a member's drafts. */
export function clearSessionStorage(): void {
  try {
    sessionStorage.clear()
  } catch {
    // Blocked: nothing was kept.
  }
}

/** How much is stored, in bytes; browsers keep two for each character. */
export function storedBytes(): number {
  try {
    return Object.entries(localStorage).reduce(
      (sum, [key, text]) => sum + 2 * (key.length + String(text).length),
      0,
    )
  } catch {
    return 0
  }
}

/** As {@link storedBytes}, with what the browser keeps for the app outside of localStorage, where it tells. */
export async function totalStoredBytes(): Promise<number> {
  try {
    return storedBytes() + ((await navigator.storage.estimate()).usage ?? 0)
  } catch {
    return storedBytes()
  }
}

/** The parsed JSON under a key; undefined where there is none or it does not parse. */
export function readJson(key: string): unknown {
  const text = readText(key)
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Calls back when another tab changes one of the keys, or clears everything. */
export function watchStorage(keys: readonly string[], changed: (key: string) => void): () => void {
  const listen = (event: StorageEvent): void => {
    for (const key of keys) {
      if (event.key === key || event.key === null) changed(key)
    }
  }
  addEventListener('storage', listen)
  return () => removeEventListener('storage', listen)
}
