import { distinctUntilChanged, filter, map, skip } from 'rxjs'
import type { Streams } from '../../streams/index.ts'
import { session } from './session.ts'

/**
 * Keeps what is known of the site in step with what the venue says of it. A client that was away may have missed the
 * end of maintenance, so it asks again once it is back.
 */
export function followVenueStatus(
  { notice$, connection$ }: Pick<Streams, 'notice$' | 'connection$'>,
  refreshConfig: () => Promise<void>,
): void {
  notice$.subscribe(({ siteStatus, until }) => {
    if (session.appInfo) Object.assign(session.appInfo, { siteStatus, siteOpensAt: until })
  })
  connection$
    .pipe(
      map(({ state }) => state === 'online'),
      distinctUntilChanged(),
      filter(Boolean),
      skip(1),
    )
    .subscribe(() => {
      if (session.appInfo?.siteStatus === 'maintenance') void refreshConfig()
    })
}
