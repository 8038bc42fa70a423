/**
 * localStorage may be blocked, full or contain garbage: reads then return undefined, and writes are dropped.
 * The app runs without it.
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
    // Blocked or full: continue without it.
  }
}

export function removeKey(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Blocked: there was nothing to remove.
  }
}

const yearSeconds = 31_536_000

/** Sets a cookie that the browser sends to the venue with every request. Its value is not encoded. */
export function writeCookie(name: string, value: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  try {
    // oxlint-disable-next-line unicorn/no-document-cookie -- not every browser has the Cookie Store API
    document.cookie = `${name}=${value}; Path=/; Max-Age=${yearSeconds}; SameSite=Lax${secure}`
  } catch {
    // Blocked: the venue then chooses by the browser's languages.
  }
}

/** Removes everything except these keys. */
export function clearStorage(exceptKeys: readonly string[]): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if (!exceptKeys.includes(key)) localStorage.removeItem(key)
    }
  } catch {
    // Blocked: there is nothing to clear.
  }
}

/** Removes what only this tab stores: a member's drafts. */
export function clearSessionStorage(): void {
  try {
    sessionStorage.clear()
  } catch {
    // Blocked: nothing was stored.
  }
}

/** How much is stored, in bytes; browsers use two for each character. */
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

/** Like {@link storedBytes}, plus what the browser stores for the app outside localStorage, if it reports that. */
export async function totalStoredBytes(): Promise<number> {
  try {
    return storedBytes() + ((await navigator.storage.estimate()).usage ?? 0)
  } catch {
    return storedBytes()
  }
}

/** The parsed JSON under a key; undefined if there is none or it does not parse. */
export function readJson(key: string): unknown {
  const text = readText(key)
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A field of the object under a key; undefined if there is none. */
export const storedField = (key: string, field: string): unknown =>
  (readJson(key) as Record<string, unknown> | null | undefined)?.[field]

/** Calls `onChange` when another tab changes one of the keys, or clears everything. */
export function watchStorage(keys: readonly string[], onChange: (key: string) => void): () => void {
  const listen = (event: StorageEvent): void => {
    for (const key of keys) {
      if (event.key === key || event.key === null) onChange(key)
    }
  }
  addEventListener('storage', listen)
  return () => removeEventListener('storage', listen)
}
