import { filter, firstValueFrom } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Loadable } from '../../streams/index.ts'

/** Resolves with the first state that is not loading; undefined if the stream ends before. */
export const firstLoaded = <T>(loadable$: Observable<Loadable<T>>): Promise<Loadable<T> | undefined> =>
  firstValueFrom(loadable$.pipe(filter(({ state }) => state !== 'loading')), { defaultValue: undefined })
