import type { Observable, ObservableInput } from 'rxjs'
import type { Assets } from '../../contract/ledger.ts'
import { minuteMs } from '../../contract/time.ts'
import { newerVersion } from '../../contract/version.ts'
import type { ReloadPolicy } from './reloadPolicy.ts'
import { resource$ } from './resource.ts'
import type { Loadable } from '../types.ts'

/** Small and used on most pages, so it stays cached between them. */
const retainMs = 10 * minuteMs

/** The member's assets; an older version never replaces a newer one. */
export const assets$ = (
  fetch: () => ObservableInput<Assets>,
  event$: Observable<Assets>,
  reloadPolicy: ReloadPolicy,
): Observable<Loadable<Assets>> => resource$({ fetch, event$, fold: newerVersion, reloadPolicy, retainMs })
