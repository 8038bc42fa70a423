import { filter, merge } from 'rxjs'
import type { Observable, ObservableInput, SchedulerLike } from 'rxjs'
import type { Assets } from '../contract/ledger.ts'
import { minuteMs } from '../contract/time.ts'
import { loadable$ } from './operators/loadable.ts'
import { perAccount } from './operators/perAccount.ts'
import { shareWithGrace } from './operators/shareWithGrace.ts'
import { snapshotThen } from './operators/snapshotThen.ts'
import type { Loadable } from './types.ts'

/** Small and used on most pages, so it stays cached between them. */
const retainMs = 10 * minuteMs

export type AssetsParts = {
  assets: () => ObservableInput<Assets>
  event$: Observable<Assets>
  up$: Observable<boolean>
  /** Another session has taken over. */
  account$: Observable<unknown>
  resume$: Observable<unknown>
  scheduler: SchedulerLike
}

/** The member's assets: fetched after each connect and resume, then updated by events; an older version never wins. */
export function assets$(parts: AssetsParts): Observable<Loadable<Assets>> {
  const reload$ = merge(parts.up$.pipe(filter((up, index) => up || index === 0)), parts.resume$)
  const down$ = parts.up$.pipe(filter((up) => !up))
  const load = (): Observable<Assets> => snapshotThen(parts.assets, parts.event$, newerAssets)
  return perAccount(parts.account$, () => loadable$(reload$, load, down$, parts.scheduler)).pipe(
    shareWithGrace(retainMs, parts.scheduler),
  )
}

export const newerAssets = (current: Assets, event: Assets): Assets =>
  event.version > current.version ? event : current
