import { createElement, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { around } from '../../around.ts'
import { useArrivedStreams } from '../../hooks/useStreams.ts'
import { createResource } from '../../shell/resource.ts'
import { useArrived } from '../../shell/useArrived.ts'
import { Checkbox, TextLink, toast } from '../../ui/index.ts'
import { useRiskNotice } from './useRiskNotice.ts'

/** The notice lies on a sheet, and sheets are more code than all of this page. */
const riskNotice = createResource(() => import('./RiskNotice.tsx').then((m) => m.RiskNotice), {
  name: 'riskNotice',
})

/** The box to tick before an account is opened, with the notice it speaks of. */
export function RiskConsent({ missing }: { missing: boolean }) {
  const { t } = useTranslation()
  const { accepted, accept } = useRiskNotice()
  const [reading, setReading] = useState(false)
  const arrived = useArrived(riskNotice)
  const settled = useArrivedStreams() !== null
  useEffect(() => {
    if (settled) void riskNotice.get()
  }, [settled])
  const read = async (): Promise<void> => {
    setReading(true)
    const result = await riskNotice.get()
    if (result.ok) return
    setReading(false)
    toast({ text: t(`page.${result.failure}.text`), kind: 'problem' })
  }
  const [before, notice, after] = around(t('welcome.riskAccept'), 'notice')
  return (
    <>
      <Checkbox checked={accepted} onChange={accept} error={missing ? t('welcome.riskFirst') : ''}>
        {before}
        <TextLink onClick={() => void read()}>{notice}</TextLink>
        {after}
      </Checkbox>
      {arrived &&
        createElement(arrived, {
          open: reading,
          onClose: () => setReading(false),
          onAccept: () => {
            accept(true)
            setReading(false)
          },
        })}
    </>
  )
}
