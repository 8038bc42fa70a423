import { useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { preferences, riskNoticeVersion, usePreferences } from '../../state/preferences.ts'
import { Checkbox, TextLink } from '../../ui/index.ts'
import { RiskNotice } from './RiskNotice.tsx'

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

/** The box to tick before an account is opened, with the notice it speaks of. */
export function RiskConsent({ missing }: { missing: boolean }) {
  const { t } = useTranslation()
  const { accepted, accept } = useRiskNotice()
  const [reading, setReading] = useState(false)
  return (
    <>
      <Checkbox checked={accepted} onChange={accept} error={missing ? t('welcome.riskFirst') : ''}>
        <Trans
          i18nKey="welcome.riskAccept"
          components={{ notice: <TextLink onClick={() => setReading(true)}>{''}</TextLink> }}
        />
      </Checkbox>
      <RiskNotice
        open={reading}
        onClose={() => setReading(false)}
        onAccept={() => {
          accept(true)
          setReading(false)
        }}
      />
    </>
  )
}
