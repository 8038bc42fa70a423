import { distinctUntilChanged, filter, map } from 'rxjs'
import type { Streams } from '../../streams/index.ts'
import { session } from './session.ts'

/**
 * Updates the site's status from the venue's notices. A client that was not connected may have missed the
 * end of maintenance, so it fetches the configuration again after each connect.
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
    )
    .subscribe(() => {
      if (session.appInfo?.siteStatus === 'maintenance') void refreshConfig()
    })
}
