/**
 * Where larger things are kept on this device, by key. It may be blocked, full or emptied from outside: reading then
 * answers with nothing, and writing is given up.
 */
export type KvStore = {
  read: (key: string) => Promise<unknown>
  /** Replaces what stands under a key by what `change` makes of it, in one step; `undefined` takes it away. */
  change: (key: string, change: (before: unknown) => unknown) => Promise<void>
  /** Takes away everything but what stands under keys that begin so; without a beginning, everything. */
  deleteExcept: (prefix: string | undefined) => Promise<void>
}

const databaseName = 'kept'
const storeName = 'answers'

/** A shelf in IndexedDB. Steps run in the order in which they were asked for, other tabs' included. */
export function createKvStore(): KvStore {
  let opening: Promise<IDBDatabase | undefined> | undefined
  const database = (): Promise<IDBDatabase | undefined> => {
    opening ??= open(() => (opening = undefined))
    return opening
  }
  const run = async <T>(
    mode: IDBTransactionMode,
    work: (store: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T | undefined> => {
    try {
      const store = (await database())?.transaction(storeName, mode).objectStore(storeName)
      return store && (await transactionDone(work(store)))
    } catch {
      return undefined
    }
  }
  return {
    read: (key) => run<unknown>('readonly', (store) => store.get(key)),
    change: async (key, change) => {
      await run<unknown>('readwrite', (store) => {
        const known = store.get(key)
        known.addEventListener('success', () => {
          const next = change(known.result)
          if (next === undefined) store.delete(key)
          else store.put(next, key)
        })
        return known
      })
    },
    deleteExcept: async (prefix) => {
      await run<IDBValidKey[]>('readwrite', (store) => {
        const keys = store.getAllKeys()
        keys.addEventListener('success', () => {
          for (const key of keys.result) {
            const isRetained = prefix !== undefined && typeof key === 'string' && key.startsWith(prefix)
            if (!isRetained) store.delete(key)
          }
        })
        return keys
      })
    },
  }
}

/** The database, or nothing where the browser has none to give. Given up as soon as another tab wants it gone. */
function open(closed: () => void): Promise<IDBDatabase | undefined> {
  return new Promise((resolve) => {
    try {
      const request = indexedDB.open(databaseName, 1)
      request.addEventListener('upgradeneeded', () => request.result.createObjectStore(storeName))
      request.addEventListener('error', () => resolve(undefined))
      request.addEventListener('blocked', () => resolve(undefined))
      request.addEventListener('success', () => {
        const database = request.result
        database.addEventListener('versionchange', () => {
          database.close()
          closed()
        })
        database.addEventListener('close', closed)
        resolve(database)
      })
    } catch {
      resolve(undefined)
    }
  })
}

/** Settles with the whole transaction, so that what was written is there for whoever reads next. */
function transactionDone<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const { transaction } = request
    const failed = (): void => reject(transaction?.error ?? request.error ?? new Error('not kept'))
    transaction?.addEventListener('complete', () => resolve(request.result))
    transaction?.addEventListener('abort', failed)
    transaction?.addEventListener('error', failed)
  })
}
