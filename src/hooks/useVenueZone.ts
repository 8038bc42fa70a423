import { useSession } from '../state/session.ts'

const deviceZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** The venue's time zone, in which its days begin; the device's before it is known. */
export function useVenueZone(): string {
  const { appInfo } = useSession()
  return appInfo?.zone ?? deviceZone()
}
