import { preferences, riskNoticeVersion, usePreferences } from '../../state/preferences.ts'

/** Whether the current risk notice was accepted on this device, and a function to accept it. */
export function useRiskNotice(): { accepted: boolean; accept: (isAccepted: boolean) => void } {
  const { riskNotice } = usePreferences()
  return {
    accepted: riskNotice >= riskNoticeVersion,
    accept: (isAccepted) => {
      preferences.riskNotice = isAccepted ? riskNoticeVersion : 0
    },
  }
}
