import { useSession } from '../state/session.ts'

/** The venue's zone, in which its days begin; the device's own before the venue has told it. */
export function useZone(): string {
  const { appInfo } = useSession()
  return appInfo?.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
}
