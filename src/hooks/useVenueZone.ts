import { useSession } from '../state/session.ts'

const deviceZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** The venue's zone, in which its days begin; the device's own before the venue has told it. */
export function useVenueZone(): string {
  const { appInfo } = useSession()
  return appInfo?.zone ?? deviceZone()
}
