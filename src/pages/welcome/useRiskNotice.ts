import { preferences, riskNoticeVersion, usePreferences } from '../../state/preferences.ts'

/** Whether this device's member has read the risk notice as it stands now, and a way to say so. */
export function useRiskNotice(): { accepted: boolean; accept: (yes: boolean) => void } {
  const { riskNotice } = usePreferences()
  return {
    accepted: riskNotice >= riskNoticeVersion,
    accept: (yes) => {
      preferences.riskNotice = yes ? riskNoticeVersion : 0
    },
  }
}
