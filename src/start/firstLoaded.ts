import { filter, firstValueFrom, type Observable } from 'rxjs'
import type { Loadable } from '../../streams/index.ts'
import { valueOf } from '../hooks/useObservable.ts'

/** The first value of a loadable; undefined if it cannot be loaded, or the stream ends before. */
export async function firstLoaded<T>(loadable$: Observable<Loadable<T>>): Promise<T | undefined> {
  const loaded$ = loadable$.pipe(filter(({ state }) => state !== 'loading'))
  return valueOf<T>(await firstValueFrom(loaded$, { defaultValue: { state: 'loading' } }))
}
