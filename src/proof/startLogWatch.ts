import { EMPTY, concatMap, filter, map, switchMap, take, timer, type Observable } from 'rxjs'
import { followLogMemory, readLogMemory, writeLogMemory } from '../state/logMemory.ts'
import { compareLog } from './logWatch.ts'
import { venueLogKeys } from './venueLogKeys.ts'

const timeoutMs = 20_000

async function fetchLog(path: string): Promise<Uint8Array | undefined> {
  try {
    const answer = await fetch(`/log/${path}`, {
      signal: AbortSignal.timeout(timeoutMs),
      credentials: 'omit',
    })
    return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : undefined
  } catch {
    return undefined
  }
}

/** The venue's configuration may arrive after the connect. */
const configWaitMs = 5000

/** Compares the public log with what this device has seen, at each connect. */
export function startLogWatch(up$: Observable<boolean>): void {
  followLogMemory()
  up$
    .pipe(
      switchMap((isUp) =>
        isUp
          ? timer(0, configWaitMs).pipe(
              map(() => venueLogKeys().logKey),
              filter((logKey) => logKey !== null),
              take(1),
            )
          : EMPTY,
      ),
      // One after the other: each continues from what the one before has stored.
      concatMap((logKey) => compareLog({ ...parts, logKey })),
    )
    .subscribe()
}

const parts = { fetchLog, read: readLogMemory, write: writeLogMemory, now: () => Date.now() }
