/**
 * Key-value storage for larger data on this device. It may be blocked, full or cleared by the user: reads then return
 * undefined, and writes are dropped.
 */
export type KvStore = {
  read: (key: string) => Promise<unknown>
  /** Replaces the value of a key by the result of `change`, atomically; `undefined` deletes it. */
  change: (key: string, change: (before: unknown) => unknown) => Promise<void>
  /** Deletes everything except keys with this prefix; without a prefix, everything. */
  deleteExcept: (prefix: string | undefined) => Promise<void>
}

const databaseName = 'kept'
const storeName = 'answers'

/** A store in IndexedDB. Operations run in the order in which they were requested, across tabs. */
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
        const current = store.get(key)
        current.addEventListener('success', () => {
          const next = change(current.result)
          if (next === undefined) store.delete(key)
          else store.put(next, key)
        })
        return current
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

/** Opens the database; undefined if the browser offers none. Closed as soon as another tab upgrades or deletes it. */
function open(onClosed: () => void): Promise<IDBDatabase | undefined> {
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
          onClosed()
        })
        database.addEventListener('close', onClosed)
        resolve(database)
      })
    } catch {
      resolve(undefined)
    }
  })
}

/** Resolves with the whole transaction, so that a later read returns what was written. */
function transactionDone<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const { transaction } = request
    const fail = (): void => reject(transaction?.error ?? request.error ?? new Error('not stored'))
    transaction?.addEventListener('complete', () => resolve(request.result))
    transaction?.addEventListener('abort', fail)
    transaction?.addEventListener('error', fail)
  })
}
